// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Some thousand publish lines, written once and sent over and over, each with another text.
///
/// The rules see no repetition, and code that looks at texts is not measured on the same text
/// twice.
struct Announcements {
  let acknowledgement: EventSafety
  private let bytes: [UInt8]
  /// The beginning of each line, and the end of the last one.
  private let starts: [Int]
  /// The place of the event in each line.
  private let eventStart: Int
  private static let lines = 4_096

  init(
    acknowledged acknowledgement: EventSafety = .written,
    priority: Priority = .unsaid
  ) {
    var all: [UInt8] = []
    var starts = [0]
    for number in 0..<Self.lines {
      let one = priority == .byTurns ? (number % 2 == 0 ? .low : .high) : priority
      all += Self.line(Sayings.text(number), acknowledged: acknowledgement, priority: one)
      starts.append(all.count)
    }
    bytes = all
    self.starts = starts
    eventStart = Self.head(acknowledgement).utf8.count
    self.acknowledgement = acknowledgement
  }

  /// The bytes of all lines.
  var count: Int { bytes.count }

  /// The mean bytes of a line, its newline included.
  var meanLength: Int { count / Self.lines }

  /// The bytes of the first `number` lines of those that are sent over and over.
  func bytes(ofLines number: Int) -> Int {
    number / Self.lines * count + starts[number % Self.lines]
  }

  /// The place of a line of those that are sent over and over.
  func place(ofLine number: Int) -> Range<Int> {
    let index = number % Self.lines
    return starts[index]..<starts[index + 1]
  }

  /// Lends a part of the lines.
  @inline(__always)
  func withBytes<Result>(
    _ range: Range<Int>,
    _ body: (UnsafeRawBufferPointer) throws(BenchFailure) -> Result
  ) throws(BenchFailure) -> Result {
    try bytes.span.withUnsafeBytes { raw throws(BenchFailure) in
      try body(UnsafeRawBufferPointer(rebasing: raw[range]))
    }
  }

  /// Whether an entry or a forwarded line is the line with this number, by all bytes of its event.
  @inline(__always)
  func isLine(_ number: Int, in received: UnsafeRawBufferPointer) -> Bool {
    let index = number % Self.lines
    return bytes.span.withUnsafeBytes { raw in
      let line = UnsafeRawBufferPointer(rebasing: raw[starts[index]..<starts[index + 1]])
      guard let own = line.baseAddress, let other = received.baseAddress else { return false }
      if received.count == line.count, memcmp(own, other, line.count) == 0 { return true }
      // `{"seq":…,"event":{…},"crc":"01234567"}`
      let event = line.count - eventStart - Self.lineEnd
      let start = received.count - Self.entryEnd - event
      return start > 0 && memcmp(own + eventStart, other + start, event) == 0
        && other.load(fromByteOffset: start - 1, as: UInt8.self) == UInt8(ascii: ":")
    }
  }

  /// All lines, for a file.
  var allBytes: [UInt8] { bytes }

  /// The length of `}` and the newline behind an event that is published.
  private static let lineEnd = 2
  /// The length of all that is behind the event of an entry.
  private static let entryEnd = #","crc":"01234567"}"#.utf8.count + 1

  /// One publish line whose text begins with `opening`, and goes on like no other.
  static func line(
    behind opening: String,
    priority: Priority = .unsaid
  ) -> [UInt8] {
    let number = opening.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xffff_ffff }
    return line(Sayings.text(number, opening: opening), priority: priority)
  }

  private static func line(
    _ text: String,
    acknowledged acknowledgement: EventSafety = .written,
    priority: Priority
  ) -> [UInt8] {
    let event = #"{"type":"announcement","text":"\#(text)"\#(priority.field)}"#
    return Array((head(acknowledgement) + event + "}\n").utf8)
  }

  private static func head(_ acknowledgement: EventSafety) -> String {
    #"{"id":1,"op":"publish",\#(acknowledgement.field)"event":"#
  }
}

extension Announcements {
  /// The priority that an announcement names.
  enum Priority: String {
    /// None: the bus decides.
    case unsaid
    case low
    case high
    /// Low and high, line by line.
    case byTurns = "by-turns"

    /// The field of an event.
    var field: String {
      switch self {
      case .unsaid, .byTurns: ""
      case .low, .high: #","priority":"\#(rawValue)""#
      }
    }
  }
}
