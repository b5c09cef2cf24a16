// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yCompanion
import A11yPosix
import Systemd

/// The connections to the bus of foreign programs, one for each, made when a program first says
/// something.
///
/// At the bound the connection goes that was unused for longest; its program gets another when it
/// speaks again.
final class AppLinks {
  /// The news of a connection that its owner looks at.
  typealias Receive = (BusLink.News) -> Void

  private final class Member {
    let link: BusLink
    var watch: Watch?
    var lastUse: UInt64

    init(_ link: BusLink, at now: UInt64) {
      self.link = link
      lastUse = now
    }
  }

  private let path: String
  private let loop: EventLoop
  /// The types of entries that are wanted for each program; nil for none.
  private let types: [String]?
  private let onNews: Receive
  /// Told that the connection of a program is back after a loss.
  var onReturn: ((_ app: String) -> Void)?
  private var members: [String: Member] = [:]
  private var alarm: Timer?
  private var uses: UInt64 = 0
  private var lostBefore = 0
  /// Requests that the bus has refused, and the words of the last refusal.
  private(set) var refusals = (count: 0, last: "")

  /// Programs that a session has at a time, with room.
  private static let most = 128
  /// Events of a program that wait for a bus that is away.
  private static let room = 64

  init(
    path: String,
    types: [String]? = nil,
    on loop: EventLoop,
    onNews: @escaping Receive
  ) throws(Errno) {
    self.path = path
    self.types = types
    self.loop = loop
    self.onNews = onNews
    alarm = try Timer(on: .monotonic, priority: .normal, on: loop) { [unowned self] in
      for app in members.keys.sorted() { attend(app) }
      setAlarm()
    }
  }

  var count: Int { members.count }

  /// Whether the bus does not answer any of the programs.
  var isAway: Bool { members.values.contains { !$0.link.isConnected } }

  /// Events that were given up because the bus was away.
  var lostEvents: Int { lostBefore + members.values.reduce(0) { $0 + $1.link.lostEvents } }

  /// Publishes an event in the name of a program.
  func post(_ event: Event, of app: String, ticket: Int64? = nil) {
    do {
      let member = try members[app] ?? join(app)
      uses += 1
      member.lastUse = uses
      try member.link.post(event, ticket: ticket)
    } catch {
      onNews(.away(reason: "\(error)"))
    }
    setAlarm()
  }

  /// Ends the connection of a program that has left.
  func dismiss(_ app: String) {
    guard let member = members.removeValue(forKey: app) else { return }
    lostBefore += member.link.lostEvents
  }

  private func join(_ app: String) throws -> Member {
    if members.count >= Self.most,
      let idle = members.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      dismiss(idle.key)
    }
    let link = try BusLink(
      path: path,
      introduction: Introduction(of: AtspiProgram.name, app: app),
      types: types,
      app: app,
      room: Self.room
    )
    link.isAble = types != nil
    let member = Member(link, at: uses)
    member.watch = try link.watch(on: loop) { [unowned self] in
      attend(app)
      setAlarm()
    }
    members[app] = member
    attend(app)
    return member
  }

  private func attend(_ app: String) {
    guard let member = members[app] else { return }
    do throws(ClientError) {
      for news in try member.link.serve() {
        switch news {
        case .refused(let refusal), .unrecorded(_, let refusal):
          refusals = (refusals.count + 1, "\(refusal)")
        case .connected, .entry, .secret, .recorded, .away: break
        }
        onNews(news)
        if case .connected = news, member.link.isReturning { onReturn?(app) }
      }
    } catch {
      dismiss(app)
      onNews(.away(reason: "\(error)"))
    }
  }

  private func setAlarm() {
    let due = members.values.compactMap(\.link.due).min()
    if let due { alarm?.arm(atMicroseconds: due) } else { alarm?.disarm() }
  }
}
