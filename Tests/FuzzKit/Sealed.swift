// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yWire

extension [UInt8] {
  /// The line that these bytes become when the log seals them, without its newline.
  ///
  /// No fuzzer finds a checksum; with this, what stands behind one is looked at too.
  var sealed: [UInt8] {
    var buffer = ByteBuffer(capacity: count + 32)
    buffer.append(span)
    buffer.seal(from: 0)
    return buffer.bytes.extracting(0..<buffer.count - 1).array
  }

  /// The bytes with a checksum at the end of every line that ends in `~`.
  var withChecksums: [UInt8] {
    let lines = split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return Array(
      lines.map { line -> [UInt8] in
        line.last == UInt8(ascii: "~") ? Array(line.dropLast()).sealed : Array(line)
      }
      .joined(separator: [UInt8(ascii: "\n")])
    )
  }
}
