// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yLog
import A11yWire

/// Lines as they might stand in a file of the log, each alone, as whatever it could be taken for.
enum Entries {
  static func take(_ input: [UInt8], _ readers: Readers) throws(Broken) {
    let reader = readers.answer
    try Scans.take(input.withChecksums)
    for line in input.split(separator: UInt8(ascii: "\n")) {
      let bare = Array(line)
      try check(bare, reader)
      let sealed = bare.sealed
      try demand(
        (LineChecksum.verified(sealed.span) != nil) == EnvelopePeek.isPossible(sealed.span),
        "a sealed line has no checksum, or times that no clock has shown"
      )
      try check(sealed, reader)
      try checkName(bare)
    }
  }

  private static func check(_ line: [UInt8], _ reader: JSONReader) throws(Broken) {
    let isWhole = LineChecksum.verified(line.span) != nil
    let seq = Seq(of: line.span)
    let entry = PastEntry(line.span, with: reader)
    if let entry { try demand(!entry.type.contains("\0"), "a type with U+0000 in it") }
    if let key = UsedKey(line.span, with: reader), let seq {
      try demand(line.count > 768 || UsedKey.mayBe(in: line.span), "a key is overlooked: \(key)")
      // The front is taken for the seq without reading the line; both must mean the same.
      do throws(JSONFault) { try reader.read(line.span) } catch {
        throw Broken("it was read before: \(error.words)")
      }
      try demand(reader.document.integer("seq", of: 0) == seq.number, "two seqs in one line")
    }
    try check(SegmentHeader(line.span, with: reader), isWhole, reader)
  }

  /// A header that could be read says the same when it is written again.
  private static func check(
    _ header: SegmentHeader?,
    _ isWhole: Bool,
    _ reader: JSONReader
  ) throws(Broken) {
    guard let header else { return }
    try demand(isWhole, "a header without a checksum is believed")
    try demand(!header.epochs.isEmpty, "a header without an epoch is believed")
    var again = ByteBuffer(capacity: 512)
    header.writeLine(into: &again)
    let line = again.bytes.extracting(0..<again.count - 1)
    try demand(SegmentHeader(line, with: reader) == header, "a header is read back as another")
  }

  private static func checkName(_ line: [UInt8]) throws(Broken) {
    let name = String(decoding: line, as: UTF8.self)
    guard let first = SegmentName.first(entries: name) else { return }
    try demand(first.number > 0, "a segment begins at \(first.number)")
    try demand(SegmentName.entries(first) == name, "a file has two names")
  }
}
