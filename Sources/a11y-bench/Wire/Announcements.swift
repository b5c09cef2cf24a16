// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Some thousand publish lines, written once and sent over and over, each with another text.
///
/// So no rule may take one for the repetition of its predecessor, and nothing that looks at texts is
/// measured on the same one twice.
struct Announcements {
  let acknowledgement: EventSafety
  private let bytes: [UInt8]
  /// Where each line begins, and the last one ends.
  private let starts: [Int]
  private static let lines = 4_096

  init(
    acknowledged acknowledgement: EventSafety = .written,
    priority: Priority = .unsaid
  ) {
    var all: [UInt8] = []
    var starts = [0]
    for number in 0..<Self.lines {
      all += Self.line(Sayings.text(number), acknowledged: acknowledgement, priority: priority)
      starts.append(all.count)
    }
    bytes = all
    self.starts = starts
    self.acknowledgement = acknowledgement
  }

  /// How many bytes all lines have, end to end.
  var count: Int { bytes.count }

  /// How many bytes a line has, its newline included, as a mean.
  var meanLength: Int { count / Self.lines }

  /// How many bytes so many lines have that are sent over and over from the first one on.
  func bytes(ofLines number: Int) -> Int {
    number / Self.lines * count + starts[number % Self.lines]
  }

  /// Where a line stands, of those that are sent over and over.
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

  /// One publish line whose text begins with `opening`, and goes on as others do not.
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
    let head = #"{"id":1,"op":"publish",\#(acknowledgement.field)"event":"#
    return Array((head + event + "}\n").utf8)
  }
}

extension Announcements {
  /// How urgent an announcement says it is.
  enum Priority: String {
    /// It leaves that to the bus.
    case unsaid
    case low
    case high

    /// What an event says of it.
    var field: String {
      switch self {
      case .unsaid: ""
      case .low, .high: #","priority":"\#(rawValue)""#
      }
    }
  }
}
