// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yPosix
internal import A11yWire

/// A subscription that is read on a thread of its own, until its owner lets go of it.
final class Reading: Sendable {
  private let mailbox: Mailbox

  /// Begins to read.
  init(_ source: Source, _ subscription: SubscriptionRequest) throws(ClientError) {
    let hung = try Bell.hang()
    let mailbox = Mailbox(bell: hung.bell)
    self.mailbox = mailbox
    let ear = hung.relinquishEar()
    try Thread.start {
      Self.follow(source, subscription, into: mailbox, ear: FileDescriptor(adopting: ear))
    }
  }

  deinit { mailbox.close() }

  func nextBatch() async -> Mailbox.Batch { await mailbox.nextBatch() }

  private static func follow(
    _ source: Source,
    _ subscription: SubscriptionRequest,
    into mailbox: Mailbox,
    ear: consuming FileDescriptor
  ) {
    do {
      let follower = try Follower(
        path: source.path,
        introduction: source.introduction.isNamed ? source.introduction : nil,
        subscription: subscription,
        backoff: source.backoff,
        interrupt: ear,
        interest: .readable
      )
      try follow(follower, into: mailbox)
    } catch {
      mailbox.fail(error)
    }
  }

  private static func follow(_ follower: Follower, into mailbox: Mailbox) throws(ClientError) {
    var position = follower.position
    while true {
      switch mailbox.room() {
      case .closed: return
      case .full:
        follower.waitForBell()
        continue
      case .free: break
      }
      var items: [SubscriptionItem] = []
      let step = try follower.step { line, document throws(ClientError) in
        switch line {
        case .entry(let seq): items.append(position.locate(try Entry(seq, document)))
        case .mark: items.append(position.locate(try SubscriptionMark(document)))
        }
      }
      switch step {
      case .lines, .ignored: break
      case .subscribed: position = follower.position
      case .renumbered(let epoch): items.append(.mark(.newEpoch(epoch)))
      case .misplaced(let refusal, let cursor):
        position = follower.position
        items.append(.mark(SubscriptionMark(refusal, at: cursor)))
      case .away(let reason): items.append(.mark(.away(reason: reason)))
      case .withdrawn(let from, let to):
        position = follower.position
        items.append(.mark(.withdrawn(from: from, to: to)))
      case .interrupted: follower.hearBell()
      }
      if !items.isEmpty { mailbox.deliver(items) }
    }
  }
}

/// The socket of a bus, and the greeting for it.
struct Source: Sendable {
  let path: String
  let introduction: Introduction
  let backoff: Backoff
}
