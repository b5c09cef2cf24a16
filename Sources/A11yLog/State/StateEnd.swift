// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// How a file with the presenter's state ends: its last line says how many are before it, and hashes
/// their checksums.
///
/// Where a state is written over another one, lines of both may stand there, each of them whole. They
/// are none of one state then.
package struct StateEnd {
  package private(set) var lines: Int64 = 0
  private var hash = SegmentEnd.emptyHash

  package init() {}

  /// Takes note of the next line, by its checksum.
  package mutating func take(_ checksum: UInt32) {
    lines += 1
    hash = SegmentEnd.hash(behind: hash, checksum)
  }

  func write(into out: inout ByteBuffer) {
    let start = out.count
    out.append("{")
    out.append(member: "end", lines)
    out.append(member: "hash", SegmentHeader.hex(hash))
    out.seal(from: start)
  }

  /// Whether a line says that these lines were all; nil where it is no such line.
  package func isStated(by line: JSONDocument) -> Bool? {
    guard let count = line.integer("end", of: line.root) else { return nil }
    return count == lines && line.string("hash", of: line.root) == SegmentHeader.hex(hash)
  }
}
