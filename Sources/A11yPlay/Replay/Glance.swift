// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// The facts about an entry that its line shows without being read as a whole: nearly every line is
/// known by its beginning.
struct Glance {
  let seq: Seq
  let time: Int64
  let mono: Int64
  /// The bytes between the instant and the event, which name the speaker.
  let origin: Range<Int>
  /// The word for the type of the event.
  let type: Range<Int>
  /// Whether it is the bus itself that says it.
  let isOwn: Bool

  init?(_ line: Span<UInt8>) {
    var at = 0
    guard let seq = Self.number(behind: "{\"seq\":", line, &at), let seq = Seq(stated: seq),
      let time = Self.number(behind: ",\"time\":", line, &at).flatMap(Stamp.stated),
      let mono = Self.number(behind: ",\"mono\":", line, &at).flatMap(Stamp.stated)
    else { return nil }
    let mark: StaticString = ",\"event\":{\"type\":\""
    let rest = line.extracting(at..<line.count)
    guard let event = rest.firstIndex(of: mark) else { return nil }
    let start = at + event + mark.utf8CodeUnitCount
    guard let end = line.firstIndex(of: UInt8(ascii: "\""), from: start) else { return nil }
    self.seq = seq
    self.time = time
    self.mono = mono
    origin = at..<at + event
    type = start..<end
    // A name can hold nothing that ends it, so that this stands where it means what it says.
    let own: StaticString = ",\"app\":\"a11yd\","
    let none: StaticString = ",\"conn\":0"
    isOwn =
      event > own.utf8CodeUnitCount + none.utf8CodeUnitCount
      && rest.extracting(0..<own.utf8CodeUnitCount).equals(own)
      && rest.extracting(event - none.utf8CodeUnitCount..<event).equals(none)
  }

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
