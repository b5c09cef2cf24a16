// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yTestKit
import A11yWire

/// The entries that a turn appends to the log.
struct EntriesOfATurn {
  let bytes: [UInt8]
  let checksums: [UInt32]
  let before: Int64
  let mono: Int64
  let readers: Readers

  func check() throws(Broken) {
    try demand(bytes.isEmpty || bytes.last == 10, "the last entry has no end")
    let lines = bytes.split(separator: 10, omittingEmptySubsequences: false).dropLast()
    try demand(lines.count == checksums.count, "\(lines.count) lines, \(checksums.count) checksums")
    for (index, line) in lines.enumerated() {
      let line = Array(line)
      try check(line, checksums[index], seq: before + 1 + Int64(index))
      if UsedKey(line.span, with: readers.answer) != nil {
        try demand(UsedKey.mayBe(in: line.span), "a key is overlooked: \(words(line))")
      }
    }
  }

  private func check(_ line: [UInt8], _ checksum: UInt32, seq: Int64) throws(Broken) {
    try demand(line.count < Limits.answerBytes, "an entry has \(line.count) bytes: \(words(line))")
    try demand(LineChecksum.verified(line.span) == checksum, "the checksum: \(words(line))")
    try demand(Seq(of: line.span) == Seq(seq), "not \(seq): \(words(line))")
    let reader = readers.answer
    try demand(PastEntry(line.span, with: reader) != nil, "it cannot be read: \(words(line))")
    do throws(JSONFault) { try reader.read(line.span) } catch {
      throw Broken("not JSON, \(error.words): \(words(line))")
    }
    let entry = reader.document
    try demand(entry.integer("mono", of: 0) == mono, "not at \(mono): \(words(line))")
    guard let event = entry.member("event", of: 0) else { throw Broken("nothing happened") }
    if let flag = entry.member("sensitive", of: event), entry.kind(flag) == .yes {
      try demand(
        entry.member("text", of: event) == nil && entry.member("title", of: event) == nil,
        "a secret is told: \(words(line))"
      )
    }
  }

  private func words(_ line: [UInt8]) -> String { String(decoding: line, as: UTF8.self) }
}
