// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// What an entry says before its event: when it was, and whose it is.
package struct EntryHead: Sendable {
  package let seq: Seq
  package let mono: Int64
  package let app: AppKey
  package let conn: Int64

  package init(seq: Seq, mono: Int64, app: AppKey, conn: Int64) {
    self.seq = seq
    self.mono = mono
    self.app = app
    self.conn = conn
  }

  /// The head of a line of the log; nil where that makes no sense.
  package init?(of entry: JSONDocument) {
    guard let seq = entry.seq("seq", of: entry.root),
      let mono = entry.integer("mono", of: entry.root),
      let app = entry.appKey(entry.root),
      let conn = entry.integer("conn", of: entry.root)
    else { return nil }
    self.init(seq: seq, mono: mono, app: app, conn: conn)
  }

  /// Before anything was taken.
  package static let none = EntryHead(
    seq: .none,
    mono: 0,
    app: AppKey(uid: 0, app: Name("")),
    conn: 0
  )
}
