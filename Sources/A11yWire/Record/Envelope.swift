// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The members that an entry of the log has around its event.
///
/// A view of a line that was read: each member is looked up when it is asked for, and nil where the
/// line does not state it. A forgotten entry states no more than its seq and its stamp.
package struct Envelope: ~Escapable {
  package let line: JSONDocument

  @_lifetime(copy line)
  package init(of line: JSONDocument) { self.line = line }

  package var seq: Seq? { line.seq("seq", of: line.root) }

  /// The wall clock's microseconds since 1970.
  package var time: Int64? { line.integer("time", of: line.root).flatMap(Stamp.stated) }

  /// The bus clock's microseconds.
  package var mono: Int64? { line.integer("mono", of: line.root).flatMap(Stamp.stated) }

  /// Both clocks; nil where no clock can have shown that.
  package var stamp: Stamp? { Stamp(statedTime: time, mono: mono) }

  /// The name of the app that the entry is from.
  package var app: String? { line.string("app", of: line.root) }

  /// The user of that app.
  package var uid: Int64? { line.integer("uid", of: line.root) }

  /// The connection that the entry came by; 0 for the bus.
  package var conn: Int64? { line.integer("conn", of: line.root) }

  /// The key against duplicates that came with the event.
  package var dedupe: String? { line.string("dedupe", of: line.root) }

  /// Whether the bus itself has written the entry.
  package var isOwn: Bool { conn == 0 }

  /// The object that names whom the entry is about: the event of an entry of the bus, else the
  /// line.
  package var subject: JSONIndex? { isOwn ? event : line.root }

  package var event: JSONIndex? { line.member("event", of: line.root) }

  /// The type of the event.
  package var type: String? { event.flatMap { line.string("type", of: $0) } }
}
