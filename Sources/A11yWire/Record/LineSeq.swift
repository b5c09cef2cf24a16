// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The seq at the very front of a stored entry.
package enum LineSeq {
  /// The seq, found without reading the whole line; nil where the line is no entry.
  package static func of(_ line: Span<UInt8>) -> Seq? {
    guard line.count > 8, line.extracting(0..<7).equals("{\"seq\":") else { return nil }
    var end = 7
    while end < line.count, (48...57).contains(line[end]) { end += 1 }
    guard end < line.count, line[end] == UInt8(ascii: ",") else { return nil }
    return line.extracting(7..<end).decimal.flatMap(Seq.init(stated:))
  }
}
