// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import CBytes

/// The seq at the very front of a stored entry.
package enum LineSeq {
  /// The seq, found without reading the whole line; nil where the line is no entry.
  package static func of(_ line: Span<UInt8>) -> Seq? {
    let number = unsafe line.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return Int64(-1) }
      return unsafe a11y_seq(start, bytes.count)
    }
    return Seq(stated: number)
  }
}
