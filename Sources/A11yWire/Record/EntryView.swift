// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import CBytes

/// An entry of the log, as its line states it: the members of the envelope, and the event in it.
///
/// A view of a line that was read: each member is looked up when it is asked for, and nil where the
/// line does not state it. A forgotten entry states no more than its seq and its stamp.
package struct EntryView: ~Escapable {
  package let line: JSONDocument

  @_lifetime(copy line)
  package init(of line: borrowing JSONDocument) { self.line = copy line }

  // MARK: The envelope

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

  // MARK: The event

  package var event: JSONIndex? { line.member("event", of: line.root) }

  /// The type of the event.
  package var type: String? { string("type") }

  /// A member of the event.
  package func member(_ name: StaticString) -> JSONIndex? {
    guard let event else { return nil }
    return line.member(name, of: event)
  }

  package func string(_ name: StaticString) -> String? {
    guard let event else { return nil }
    return line.string(name, of: event)
  }
}

/// The facts about an entry that the front of its line shows without being read as a whole.
package struct EnvelopePeek: Sendable {
  package let seq: Seq
  package let time: Int64
  package let mono: Int64
  /// The bytes between the instant and the event, which name the speaker.
  package let origin: Range<Int>
  /// The word for the type of the event.
  package let type: Range<Int>
  /// Whether it is the bus itself that says it.
  package let isOwn: Bool

  /// Looks at a line; nil where it does not begin as the bus writes entries.
  package init?(_ line: Span<UInt8>) {
    var at = 0
    guard let seq = Self.number(behind: "{\"seq\":", line, &at), let seq = Seq(stated: seq),
      let time = Self.number(behind: ",\"time\":", line, &at).flatMap(Stamp.stated),
      let mono = Self.number(behind: ",\"mono\":", line, &at).flatMap(Stamp.stated),
      let type = Self.type(in: line, from: at)
    else { return nil }
    self.seq = seq
    self.time = time
    self.mono = mono
    self.type = type
    origin = at..<type.lowerBound - Self.eventMark.utf8CodeUnitCount
    let speaker = line.extracting(origin)
    // A name can hold nothing that ends it, so that this stands where it means what it says.
    let own: StaticString = ",\"app\":\"a11yd\","
    let none: StaticString = ",\"conn\":0"
    isOwn =
      speaker.count > own.utf8CodeUnitCount + none.utf8CodeUnitCount && speaker.begins(with: own)
      && speaker.extracting(speaker.count - none.utf8CodeUnitCount..<speaker.count).equals(none)
  }

  /// Whether a line is none of an entry, or is of one whose times a clock can have shown.
  package static func isPossible(_ line: Span<UInt8>) -> Bool {
    let comma = UInt8(ascii: ",")
    guard Seq(of: line) != nil, var at = line.firstIndex(of: comma) else { return true }
    for mark in [",\"time\":", ",\"mono\":"] as [StaticString] {
      let start = at + mark.utf8CodeUnitCount
      // In another order they are looked at by whoever reads the line.
      guard start < line.count, line.extracting(at..<start).equals(mark),
        let end = line.firstIndex(of: comma, from: start)
      else { return true }
      guard let number = line.extracting(start..<end).decimal, Stamp.stated(number) != nil else {
        return false
      }
      at = end
    }
    return true
  }

  /// The place of the word for the type of an entry's event.
  ///
  /// Quotes inside of strings are escaped, so that the mark stands only where the event begins.
  package static func type(in line: Span<UInt8>, from start: Int = 0) -> Range<Int>? {
    // The brace in the middle of the mark is rare in front of it, and a search for the whole mark
    // costs more to begin than the way there.
    let half = eventMark.utf8CodeUnitCount / 2
    var at = start
    while let brace = line.firstIndex(of: UInt8(ascii: "{"), from: at) {
      let begin = brace + half
      if brace >= start + half, begin <= line.count,
        line.extracting(brace - half..<begin).equals(eventMark)
      {
        return line.firstIndex(of: UInt8(ascii: "\""), from: begin).map { begin..<$0 }
      }
      at = brace + 1
    }
    return nil
  }

  /// As long in front of its brace as from there on.
  private static var eventMark: StaticString { ",\"event\":{\"type\":\"" }

  private static func number(
    behind mark: StaticString,
    _ line: Span<UInt8>,
    _ at: inout Int
  ) -> Int64? {
    let start = at + mark.utf8CodeUnitCount
    guard line.count > start, line.extracting(at..<start).equals(mark) else { return nil }
    var end = start
    while end < line.count, line[end] != UInt8(ascii: ",") { end += 1 }
    at = end
    return line.extracting(start..<end).decimal
  }
}

extension Seq {
  /// The seq at the very front of a stored entry, found without reading the whole line; nil where
  /// the line is no entry.
  package init?(of line: Span<UInt8>) {
    let number = unsafe line.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return Int64(-1) }
      return unsafe a11y_seq(start, bytes.count)
    }
    self.init(stated: number)
  }
}
