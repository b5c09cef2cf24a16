// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Which entries are to be forgotten: those to which everything applies that is given.
///
/// What the bus has written about an entry goes with it, since it may repeat what was said.
package struct Selection: Equatable, Sendable {
  package var apps: Set<String>?
  package var uids: Set<Int64>?
  /// Microseconds since 1970.
  package var before: Int64?

  package init(apps: Set<String>?, uids: Set<Int64>?, before: Int64?) {
    self.apps = apps
    self.uids = uids
    self.before = before
  }

  /// Whether anything was given; nothing does not mean everything.
  package var isEmpty: Bool { apps == nil && uids == nil && before == nil }

  /// Whether an app's entries are meant, whenever they were written.
  package func covers(app: String, uid: Int64) -> Bool {
    before == nil && isFrom(app: app, uid: uid)
  }

  private func isFrom(app: String, uid: Int64) -> Bool {
    (apps?.contains(app) ?? true) && (uids?.contains(uid) ?? true)
  }

  /// Whether an entry is to be forgotten; `isGone` tells it of an earlier one.
  package func takes(_ entry: JSONDocument, isGone: (Seq) -> Bool) -> Bool {
    guard let event = entry.member("event", of: entry.root),
      let type = entry.string("type", of: event),
      type != EventType.Own.forgotten.rawValue,
      let app = entry.string("app", of: entry.root), let uid = entry.integer("uid", of: entry.root),
      let conn = entry.integer("conn", of: entry.root),
      let time = entry.integer("time", of: entry.root)
    else { return false }
    let isInTime = before.map { time < $0 } ?? true
    if conn != 0 { return isInTime && isFrom(app: app, uid: uid) }
    switch EventType.Own(rawValue: type) {
    // These speak of the bus alone.
    case .opened, .closed, .rules: return false
    case .focus, .deliver, .silence, .outcome, .gesture, .client, .forgotten, nil: break
    }
    if refersToGone(entry, event, isGone) { return true }
    guard let about = entry.string("app", of: event) else {
      return apps == nil && uids == nil && isInTime
    }
    return isInTime && isFrom(app: about, uid: entry.integer("uid", of: event) ?? uid)
  }

  private func refersToGone(
    _ entry: JSONDocument,
    _ event: JSONIndex,
    _ isGone: (Seq) -> Bool
  ) -> Bool {
    guard let of = entry.member("of", of: event) else { return false }
    if let seq = entry.integer(of) { return isGone(Seq(seq)) }
    guard entry.kind(of) == .list else { return false }
    var item = of + 1
    while item < entry.end(of) {
      if let seq = entry.integer(item), isGone(Seq(seq)) { return true }
      item = entry.end(item)
    }
    return false
  }
}
