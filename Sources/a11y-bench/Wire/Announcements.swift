// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A thousand publish lines, written once and sent over and over.
///
/// All have the same length, so that positions are arithmetic, and all have different texts,
/// so that no rule may take one for the repetition of its predecessor. The sentence is plain
/// words, as an application would send it: digits and abbreviations would earn advice in the
/// reply, and advice is not what is measured.
struct Announcements {
  /// How many bytes one line has, its newline included: about two hundred.
  let length: Int
  let acknowledgement: Acknowledgement
  private let bytes: [UInt8]

  init(
    acknowledged acknowledgement: Acknowledgement = .written,
    priority: Priority = .unsaid
  ) {
    var all: [UInt8] = []
    for first in names {
      for second in names {
        for third in names {
          all += Announcements.line(
            "\(first) shared the folder with \(second) and asked \(third)",
            acknowledged: acknowledgement,
            priority: priority
          )
        }
      }
    }
    bytes = all
    self.acknowledgement = acknowledgement
    length = all.count / (names.count * names.count * names.count)
  }

  /// How many bytes all lines have, end to end.
  var count: Int { bytes.count }

  /// Lends a part of the lines.
  @inline(__always)
  func withBytes<Result>(
    _ range: Range<Int>,
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try bytes.span.withUnsafeBytes { raw throws(Failure) in
      try body(UnsafeRawBufferPointer(rebasing: raw[range]))
    }
  }

  /// One publish line whose text begins with `opening`.
  static func line(
    _ opening: String,
    acknowledged acknowledgement: Acknowledgement = .written,
    priority: Priority = .unsaid
  ) -> [UInt8] {
    let text =
      opening + " to look through all of the notes in it before they meet again next Monday."
    let event = #"{"type":"announcement","text":"\#(text)"\#(priority.field)}"#
    let head = #"{"id":1,"op":"publish",\#(acknowledgement.field)"event":"#
    return Array((head + event + "}\n").utf8)
  }
}

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

/// Ten names of one length stand for the digits of a line's number.
private let names = [
  "Anna", "Bert", "Carl", "Dora", "Emil", "Fred", "Gina", "Hans", "Inge", "Jack",
]
