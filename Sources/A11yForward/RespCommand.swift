// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

extension ByteBuffer {
  /// Appends the head of a command for Redis, which has so many words.
  package mutating func appendCommand(words count: Int) {
    append("*")
    append(decimal: Int64(count))
    append("\r\n")
  }

  /// Appends a word of a command.
  package mutating func appendWord(_ bytes: Span<UInt8>) {
    append("$")
    append(decimal: Int64(bytes.count))
    append("\r\n")
    append(bytes)
    append("\r\n")
  }

  /// Appends a word of a command.
  package mutating func appendWord(_ text: String) { appendWord(text.utf8Span.span) }
}

extension Batch {
  /// Appends the command that adds all lines to the stream `key`, or the first of them up to one
  /// that is refused: none is ever added behind one that is not.
  package func writeCommand(for key: String, _ epochs: EpochLine, into out: inout ByteBuffer) {
    out.appendCommand(words: 4 + 3 * parcels.count)
    out.appendWord("EVAL")
    out.appendWord(Self.script)
    out.appendWord("1")
    out.appendWord(key)
    for parcel in parcels {
      let start = epochs.epoch(of: parcel.seq)
      out.appendWord("\(start.began)-\(parcel.seq)")
      out.appendWord(start.epoch)
      copyWord(parcel, to: &out)
    }
  }

  private static let script = """
    for i = 1, #ARGV, 3 do redis.call('XADD', KEYS[1], ARGV[i], \
    'line', ARGV[i + 2], 'epoch', ARGV[i + 1]) end return #ARGV / 3
    """
}
