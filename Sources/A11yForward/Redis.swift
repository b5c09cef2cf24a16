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
  /// Appends the command that adds all lines to the stream `key` behind the entry with the id
  /// `last`, or the first of them up to one that is refused.
  ///
  /// None is ever added behind one that is not, nor where another entry is the newest: a server
  /// that has taken over may never have had those that its predecessor confirmed.
  package func writeCommand(
    for key: String,
    behind last: String,
    _ epochs: EpochLine,
    into out: inout ByteBuffer
  ) {
    out.appendCommand(words: 5 + 3 * parcels.count)
    out.appendWord("EVAL")
    out.appendWord(Self.script)
    out.appendWord("1")
    out.appendWord(key)
    out.appendWord(last)
    for parcel in parcels {
      out.appendWord(epochs.id(of: parcel.seq))
      out.appendWord(epochs.epoch(of: parcel.seq).epoch)
      copyWord(parcel, to: &out)
    }
  }

  /// The beginning of the answer where another entry is the newest; its id stands behind.
  package static let misplaced = "MISPLACED "

  private static let script = """
    local last, facts = '0-0', redis.pcall('XINFO', 'STREAM', KEYS[1]) \
    if facts.err and not string.find(facts.err, 'no such key') then return facts end \
    for i = 1, #facts, 2 do if facts[i] == 'last-generated-id' then last = facts[i + 1] end end \
    if last ~= ARGV[1] then return redis.error_reply('\(misplaced)' .. last) end \
    for i = 2, #ARGV, 3 do redis.call('XADD', KEYS[1], ARGV[i], \
    'line', ARGV[i + 2], 'epoch', ARGV[i + 1]) end return 'OK'
    """
}

extension EpochLine {
  /// The id of an entry in Redis.
  package func id(of seq: Int64) -> String { "\(epoch(of: seq).began)-\(seq)" }
}

/// The way to another server, as a server of a Redis cluster tells it.
package struct RedisHop: Equatable, Sendable {
  package let server: EngineAddress.Server
  /// Whether the slot is still on its way there, so that each command has to ask for it.
  package let isImporting: Bool

  /// Reads a refusal; nil where it names no other server.
  package init?(_ refusal: String, from asked: EngineAddress.Server) {
    let words = refusal.split(separator: " ")
    guard words.count >= 3, words[0] == "MOVED" || words[0] == "ASK" else { return nil }
    isImporting = words[0] == "ASK"
    let target = words[2]
    // A server that does not know its own address leaves the host out.
    if target.hasPrefix(":"), let port = Int(target.dropFirst()) {
      server = EngineAddress.Server(host: asked.host, port: port)
    } else if let server = EngineAddress.Server(String(target)) {
      self.server = server
    } else {
      return nil
    }
  }
}
