// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

/// A line of the log, looked at from outside.
struct Entry: Equatable {
  /// The very bytes, without the end of the line.
  let line: String
  let seq: Int64

  init(_ line: String) throws {
    self.line = line
    let digits = line.utf8.dropFirst(#"{"seq":"#.utf8.count).prefix { $0 != UInt8(ascii: ",") }
    seq = try #require(Int64(String(decoding: digits, as: UTF8.self)), "\(line)")
  }

  func json() throws -> JSON { try JSON(line) }

  func event() throws -> JSON { try json()["event"] }

  /// The event as it is written.
  func eventText() throws -> String {
    let start = try #require(line.firstRange(of: #","event":"#)).upperBound
    return String(line[start..<(try checksumStart())])
  }

  /// The bytes that the checksum covers, and the checksum that the line has.
  func checksum() throws -> (covered: [UInt8], written: String) {
    let start = try checksumStart()
    let end = try #require(line[start...].wholeMatch(of: /,"crc":"([0-9a-f]{8})"}/), "\(line)")
    return (Array(line[..<start].utf8), String(end.1))
  }

  private func checksumStart() throws -> String.Index {
    let length = #","crc":"00000000"}"#.utf8.count
    let start = line.utf8.index(line.endIndex, offsetBy: 0 - length, limitedBy: line.startIndex)
    return try #require(start, "\(line)")
  }
}
