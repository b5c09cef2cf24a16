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
    let view = EntryView(of: document)
    guard let event = view.event else { throw .malformed(document.text.string) }
    self.seq = seq
    time = view.time ?? 0
    mono = view.mono ?? 0
    app = view.app ?? ""
    uid = UInt32(clamping: view.uid ?? 0)
    conn = view.conn ?? 0
    self.event = JSONValue(document, event)
    line = document.text.string
    cursor = LogCursor(epoch: "", seq: seq)
  }
}
