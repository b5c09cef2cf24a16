// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

extension ByteBuffer {
  /// Ends the line that began at `start`: its checksum, its last brace, its newline.
  @discardableResult
  public mutating func seal(from start: Int) -> UInt32 {
    let checksum = self.checksum(from: start)
    append(",\"crc\":\"")
    append(hex: checksum)
    append("\"}\n")
    return checksum
  }
}
