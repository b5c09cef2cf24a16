// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// One line of the log: an event, with its time and its sender.
public struct Entry: Hashable, Sendable {
  /// The entry's number: dense, from 1.
  public let seq: Int64
  /// The time of its arrival, in microseconds since 1970, by a clock that people may set.
  public let time: Int64
  /// The time of its arrival, in microseconds by the bus's own clock, which never goes back.
  public let mono: Int64
  /// The app that sent it, by its own account; `a11yd` is the bus itself.
  public let app: String
  /// The user of the sender.
  public let uid: UInt32
  /// The connection of the sender; 0 for the bus itself.
  public let conn: Int64
  /// The event's fields.
  public let event: JSONValue
  /// The whole line as it is in the log, without its newline.
  public let line: String
  /// The place right behind this entry.
  public internal(set) var cursor: LogCursor

  /// The event's type as it stands on the wire.
  public var type: String { event["type"]?.string ?? "" }

  /// The words of the event, if it has any.
  public var text: String? { event["text"].flatMap { SpeechText($0) }?.text }

  /// A field of the event that is a text.
  public func string(_ name: String) -> String? { event[name]?.string }

  /// A field of the event that is an integer.
  public func integer(_ name: String) -> Int64? { event[name]?.integer }

  /// A field of the event that is true or false.
  public func flag(_ name: String) -> Bool? { event[name]?.flag }
}

extension Entry {
  /// Copies an entry out of a parsed line, which does not name the epoch of its seq.
  package init(_ seq: Int64, _ document: borrowing JSONDocument) throws(ClientError) {
    guard let event = document.member("event", of: document.root) else {
      throw .malformed(document.text.string)
    }
    self.seq = seq
    time = document.integer(named: "time")
    mono = document.integer(named: "mono")
    app = document.member("app", of: document.root).flatMap { document.stringIfAny($0) } ?? ""
    uid = UInt32(clamping: document.integer(named: "uid"))
    conn = document.integer(named: "conn")
    self.event = JSONValue(document, event)
    line = document.text.string
    cursor = LogCursor(epoch: "", seq: seq)
  }
}

extension JSONDocument {
  /// An integer of the line's own object, or 0.
  fileprivate func integer(named name: StaticString) -> Int64 {
    guard let value = member(name, of: root) else { return 0 }
    return integer(value) ?? 0
  }
}
