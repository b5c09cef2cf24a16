// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yForward
import A11yWire
import Testing

struct RespCommandTests {
  @Test func `a batch for Redis names the entry that it follows`() throws {
    let batch = Batch(keepsTexts: true)
    let reader = JSONReader(limit: 1_024)
    for seq in [42, 43] {
      try reader.read(Array(#"{"seq":\#(seq),"event":{"type":"closed"}}"#.utf8).span)
      batch.pack(Int64(seq), reader.document)
    }
    var command = ByteBuffer(capacity: 64)

    batch.writeCommand(for: "k", behind: "1000-41", try ResumptionTests.epochs(), into: &command)

    let words = command.bytes.string.split(separator: "\r\n")
    #expect(words[0] == "*11")
    // Each word stands behind its length.
    let plain = stride(from: 2, to: words.count, by: 2).map { String(words[$0]) }
    #expect(plain.count == 11)
    #expect(plain[0] == "EVAL")
    #expect(
      plain[2...] == [
        "1", "k", "1000-41", "1000-42", "aa", #"{"seq":42,"event":{"type":"closed"}}"#,
        "2000-43", "bb", #"{"seq":43,"event":{"type":"closed"}}"#,
      ]
    )
    for place in stride(from: 1, to: words.count, by: 2) {
      #expect(words[place] == "$\(words[place + 1].utf8.count)")
    }
  }
}
