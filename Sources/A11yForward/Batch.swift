// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// Lines on their way to the engine, in one piece of memory that is used again and again.
package final class Batch {
  /// A line of the batch.
  package struct Parcel: Equatable, Sendable {
    package let seq: Int64
    /// The place of its bytes, without a newline.
    package let bytes: Range<Int>
  }

  package private(set) var parcels: [Parcel] = []
  /// The entries that are to be forgotten in the engine, once this batch is there.
  package private(set) var forgotten: [ClosedRange<Int64>] = []
  /// The last seq that the batch has come to, be it of an entry that is not sent.
  package private(set) var reached: Int64 = 0
  /// The wall clock of that entry.
  package private(set) var time: Int64 = 0
  private var memory = ByteBuffer(capacity: 65_536)
  private let keepsTexts: Bool
  private let filter: ForwardFilter
  private let most: Int

  /// Entries of one batch, so that an answer of the engine comes soon.
  package static let mostEntries = 512
  /// Bytes of one batch, but for a last line that is longer.
  private static let mostBytes = 262_144

  package init(
    keepsTexts: Bool,
    _ filter: ForwardFilter = ForwardFilter(),
    most: Int = mostEntries
  ) {
    self.keepsTexts = keepsTexts
    self.filter = filter
    self.most = most
  }

  package var isEmpty: Bool { parcels.isEmpty }

  /// Whether the batch is to be sent before it takes another line.
  ///
  /// A forgetting ends a batch: nothing is sent behind it before the engine has forgotten, so that
  /// one that was cut short is known by standing last.
  package var isFull: Bool {
    parcels.count >= most || memory.count >= Self.mostBytes || !forgotten.isEmpty
  }

  package func clear() {
    parcels.removeAll(keepingCapacity: true)
    forgotten = []
    memory.clear()
    memory.shrink(to: Self.mostBytes)
  }

  /// The bytes of all lines.
  package func withBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try memory.withUnsafeBytes(body)
  }

  /// Appends the bytes of a parcel as a word of a command for Redis.
  func copyWord(_ parcel: Parcel, to out: inout ByteBuffer) {
    Self.copyWord(parcel.bytes, of: memory, to: &out)
  }

  private static func copyWord(
    _ range: Range<Int>,
    of memory: borrowing ByteBuffer,
    to out: inout ByteBuffer
  ) {
    out.appendWord(memory.bytes.extracting(range))
  }

  /// Packs an entry, unless it was forgotten or has to stay here.
  package func pack(_ seq: Int64, _ line: borrowing JSONDocument) {
    reached = seq
    let view = EntryView(of: line)
    time = view.time ?? time
    let type = view.type
    if type == EventType.Own.forgotten.rawValue || !filter.admits(line) { return }
    let start = memory.count
    if keepsTexts { memory.append(line.text) } else { line.writeWithoutTexts(into: &memory) }
    parcels.append(Parcel(seq: seq, bytes: start..<memory.count))
    if type == EventType.Own.forgot.rawValue { forgotten = view.forgottenRanges }
  }

  /// Packs a mark, if it tells of a gap.
  package func pack(mark line: borrowing JSONDocument) {
    guard line.isGap, let end = line.integer("to", of: line.root) else { return }
    reached = end
    let start = memory.count
    memory.append(line.text)
    parcels.append(Parcel(seq: end, bytes: start..<memory.count))
  }
}

extension JSONDocument {
  var isGap: Bool { string("mark", of: root) == "gap" }
}

extension EntryView {
  /// The ranges that an entry about forgetting names.
  var forgottenRanges: [ClosedRange<Int64>] {
    guard let list = member("ranges"), line.kind(list) == .list else { return [] }
    var ranges: [ClosedRange<Int64>] = []
    var item = list + 1
    while item < line.end(list) {
      if line.kind(item) == .list, line.count(item) == 2, let first = line.integer(item + 1),
        let last = line.integer(item + 2), first <= last
      {
        ranges.append(first...last)
      }
      item = line.end(item)
    }
    return ranges
  }
}
