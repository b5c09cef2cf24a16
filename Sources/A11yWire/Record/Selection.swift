// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The entries that are to be forgotten: those that match every part that is given.
///
/// Entries of the bus about such an entry go with it, since they may repeat its text.
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

  /// Whether no part is given, which does not mean everything.
  package var isEmpty: Bool { apps == nil && uids == nil && before == nil }

  /// Whether all entries of an app are meant.
  package func covers(app: String, uid: Int64) -> Bool {
    before == nil && isFrom(app: app, uid: uid)
  }

  private func isFrom(app: String, uid: Int64) -> Bool {
    (apps?.contains(app) ?? true) && (uids?.contains(uid) ?? true)
  }

  /// Whether an entry is to be forgotten; `isGone` tells whether an earlier one was.
  package func covers(entry: JSONDocument, isGone: (Seq) -> Bool) -> Bool {
    let envelope = EntryView(of: entry)
    guard let event = envelope.event, let type = entry.string("type", of: event),
      type != EventType.Own.forgotten.rawValue,
      let app = envelope.app, let uid = envelope.uid, let conn = envelope.conn,
      let time = envelope.time
    else { return false }
    let isInTime = before.map { time < $0 } ?? true
    if conn != 0 { return isInTime && isFrom(app: app, uid: uid) }
    switch EventType.Own(rawValue: type) {
    // Entries about the bus alone.
    case .seat, .opened, .closed, .rules, .forgot: return false
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
