// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yClient

/// The desktop's notifications on their way to the bus: calls, answers and closings go in, events
/// come out.
///
/// Nobody knows the id of a first notification before the server has answered, and where there is
/// no server there is none. So an event goes out at once, with a key made of its call, and the id
/// is learnt from the answer; a replacement finds the key by the id. Programs that choose ids
/// themselves are understood too.
package struct Notices {
  /// A deed for the process.
  package enum Act: Equatable {
    case post(Event, app: String, ticket: Int64)
    case cancel(Int64, app: String)
  }

  /// A notification that may still be replaced or closed.
  private struct Row {
    let ticket: Int64
    let sender: String
    let serial: UInt64
    let app: String
    let key: String
    let tag: String?
    var id: UInt32?
    /// The connection of the server that has given the id.
    var server: String?
    var seq: Int64?
    var isClosed = false
    /// Whether its time on the screen is over.
    var hasExpired = false
  }

  /// The apps that are left alone.
  package var silentApps: Set<String> = []
  /// Rows in the order of their coming.
  private var rows: [Row] = []
  private var lastTicket: Int64 = 0
  /// Whether the session is locked, so that notifications wait.
  private var isLocked = false
  private var held: [Held] = []
  /// Notifications that were given up because too many waited.
  package private(set) var overrun = 0

  /// A notification that waits for the user to come back.
  private struct Held {
    let row: Row
    let event: Event
  }

  /// More than anybody listens to on coming back; the newest ones stay.
  private static let mostHeld = 64

  /// More than any desktop shows; the oldest goes, and can no longer be withdrawn.
  private static let mostRows = 256

  package init() {}

  package mutating func announce(_ call: NoticeCall) -> [Act] {
    guard !call.text.isEmpty, !silentApps.contains(call.app) else { return [] }
    // A call that starts a server may be seen twice.
    let isKnown = rows.contains { $0.sender == call.sender && $0.serial == call.serial }
    guard !isKnown else { return [] }
    let predecessor = rows.last { row in
      if call.replaces != 0 { return row.id == call.replaces }
      return call.tag != nil && row.tag == call.tag && row.app == call.app
    }
    lastTicket += 1
    let row = Row(
      ticket: lastTicket,
      sender: call.sender,
      serial: call.serial,
      app: call.app,
      key: predecessor?.key ?? "\(call.sender)-\(call.serial)",
      tag: call.tag,
      id: call.replaces == 0 ? nil : call.replaces
    )
    rows.append(row)
    if rows.count > Self.mostRows { rows.removeFirst() }
    let event = event(call, key: row.key)
    guard isLocked else { return [.post(event, app: row.app, ticket: row.ticket)] }
    held.removeAll { $0.row.key == row.key }
    if held.count == Self.mostHeld {
      held.removeFirst()
      overrun += 1
    }
    held.append(Held(row: row, event: event))
    return []
  }

  /// Has notifications wait while the session is locked; all that have waited go when it is not.
  package mutating func setLocked(_ isLocked: Bool) -> [Act] {
    self.isLocked = isLocked
    guard !isLocked else { return [] }
    defer { held = [] }
    return held.map { .post($0.event, app: $0.row.app, ticket: $0.row.ticket) }
  }

  private func event(_ call: NoticeCall, key: String) -> Event {
    let priority: AnnouncementPriority =
      switch call.urgency {
      case .low: .low
      case .normal: .default
      case .critical: .high
      }
    let event = Event.announcement(
      SpeechText(call.text),
      priority: priority,
      mode: .latest,
      queue: true
    ).key(key).origin("notification")
    return call.isSensitive ? event.sensitive() : event
  }

  /// Takes the server's answer to a call, which has the id.
  package mutating func answered(sender: String, serial: UInt64, by server: String, id: UInt32) {
    guard let index = rows.lastIndex(where: { $0.sender == sender && $0.serial == serial })
    else { return }
    rows[index].id = id
    rows[index].server = server
  }

  /// The reason of a server whose time to show a notification is over.
  private static let hasExpired: Int64 = 1

  /// Takes the end of a notification that is shown, by its server's word.
  ///
  /// One whose time on the screen is over may not have been heard yet, so its words stay. Servers
  /// give such an id anew; its program alone may still mean this one.
  package mutating func closed(id: UInt32, reason: Int64, by closer: String) -> [Act] {
    let shown = known(id: id, by: closer).filter { !rows[$0].hasExpired }
    guard reason == Self.hasExpired else { return close(shown) }
    for index in shown { rows[index].hasExpired = true }
    return []
  }

  private func known(id: UInt32, by closer: String) -> [Int] {
    rows.indices.filter { rows[$0].id == id && [nil, closer].contains(rows[$0].server) }
  }

  private mutating func close(_ mine: [Int]) -> [Act] {
    guard let newest = mine.last else { return [] }
    held.removeAll { $0.row.ticket == rows[newest].ticket }
    guard let seq = rows[newest].seq else {
      rows[newest].isClosed = true
      return []
    }
    let app = rows[newest].app
    for index in mine.reversed() { rows.remove(at: index) }
    return [.cancel(seq, app: app)]
  }

  /// Takes a program's wish that its notification be closed, with or without a server.
  package mutating func withdrawn(id: UInt32) -> [Act] {
    let server = rows.last { $0.id == id }?.server
    return close(known(id: id, by: server ?? ""))
  }

  /// Takes the place of an event in the log.
  package mutating func recorded(ticket: Int64, seq: Int64) -> [Act] {
    guard let index = rows.firstIndex(where: { $0.ticket == ticket }) else { return [] }
    rows[index].seq = seq
    guard rows[index].isClosed else { return [] }
    return [.cancel(seq, app: rows.remove(at: index).app)]
  }
}
