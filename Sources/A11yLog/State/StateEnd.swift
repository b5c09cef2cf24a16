// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// The last line of a `.state` file: the number of lines before it, and a hash of their checksums.
///
/// A state that is written over another one may leave a file with lines of both, each of them
/// whole; the hash tells.
package struct StateEnd {
  package private(set) var lines: Int64 = 0
  private var hash = SegmentEnd.emptyHash

  package init() {}

  /// Includes the next line, which bears this checksum.
  package mutating func include(_ checksum: UInt32) {
    lines += 1
    hash = SegmentEnd.hash(behind: hash, checksum)
  }

  func write(into out: inout ByteBuffer) {
    out.appendLine { out in
      out.append(member: "end", lines)
      out.append(member: "hash", SegmentHeader.hex(hash))
    }
  }

  /// Whether a line says that these lines were all; nil where it is no such line.
  package func isStated(by line: JSONDocument) -> Bool? {
    guard let count = line.integer("end", of: line.root) else { return nil }
    return count == lines && line.string("hash", of: line.root) == SegmentHeader.hex(hash)
  }
}
