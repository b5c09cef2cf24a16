// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yWire

/// The report of the bus as it goes on, served to a browser until a signal ends it.
///
/// The story is kept in memory and grows by each entry of the bus, so that a page costs its writing
/// alone. The page stays as it is until its reader loads it again, or its script finds a newer one:
/// a page that reloads itself takes the place away from those who read it by ear.
final class LiveReport {
  /// The seconds between two looks of the page's script.
  static let pause = 5

  private let path: String
  private let since: Int64
  private let output: Output
  private let server: PageServer
  private var story: DayStory
  private var linting: LogLint
  private var last: Int64 = 0
  /// How often the story has begun; after a crash of the bus, seqs may stand for other entries.
  private var beginnings = 0
  private var isAway = false
  private var hasToldAddress = false

  init(of path: String, since: Int64, _ output: Output) throws(Failure) {
    self.path = path
    self.since = since
    self.output = output
    story = DayStory(since: since, until: .max)
    linting = LogLint(since: since)
    do throws(Errno) {
      server = try PageServer(endedBy: AwaitedSignals([.interrupt, .terminate]))
    } catch {
      throw Failure(.inputOutput, "The report cannot be served: \(error).")
    }
  }

  /// Serves the report; entries that a bus has lost in a crash must leave it, so it may begin anew.
  func keepServing() throws(Failure) {
    while try followBus() {}
  }

  /// Follows the bus; false when a signal has ended that, true when the story must begin anew.
  private func followBus() throws(Failure) -> Bool {
    story = DayStory(since: since, until: .max)
    linting = LogLint(since: since)
    beginnings += 1
    let follower = try follower()
    while true {
      let step = try asking { () throws(ClientError) in
        try follower.step { line, document throws(ClientError) in
          switch line {
          case .entry(let seq):
            last = seq
            story.trace(document)
            linting.examine(document)
          case .mark:
            if document.isCaughtUp { tellAddress() }
          }
        }
      }
      switch step {
      case .away(let reason):
        guard hasToldAddress else { throw Failure(.unreachable(path: path, reason: reason)) }
        isAway = true
        output.complain("The bus went away; waiting for it.")
      case .subscribed:
        if isAway { output.complain("The bus is back.") }
        isAway = false
      case .withdrawn, .misplaced: return true
      case .lines, .renumbered, .ignored, .interrupted: break
      }
      try output.flush()
      guard server.attend(page) else { return false }
    }
  }

  private func follower() throws(Failure) -> Follower {
    do throws(ClientError) {
      return try Follower(
        path: path,
        introduction: nil,
        subscription: SubscriptionRequest(from: .start),
        backoff: Backoff(),
        interrupt: server.readiness,
        interest: .readable
      )
    } catch {
      throw Failure(error)
    }
  }

  private func tellAddress() {
    guard !hasToldAddress else { return }
    hasToldAddress = true
    output.line("The report is at \(server.address) until Ctrl-C ends it.")
  }

  private var page: PageServer.Page {
    let version = "\"\(last).\(beginnings)\(isAway ? "-away" : "")\""
    let live = ReportPage.Live(
      version: version,
      nonce: Machine.randomHex128(),
      isAway: isAway
    )
    return PageServer.Page(version: version, nonce: live.nonce) {
      let now = SystemClock.wallMicroseconds()
      var (story, linting) = (self.story, self.linting)
      story.until = now
      linting.conclude()
      let page = ReportPage(story: story, advice: linting.report, now: now, live: live)
      return page.html().bytes.array
    }
  }
}
