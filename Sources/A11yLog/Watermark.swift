// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
package import A11yWire

/// The last entry that is safe on the medium.
///
/// Lines missing below the watermark are damage; lines torn above it were only ever in the
/// machine's memory. It is written in place after each answer of the disk, into two slots in turn,
/// so that no new room is needed and one slot is always whole.
package struct Watermark: Equatable, Sendable {
  package static let name = "watermark"

  package var epoch: Epoch
  /// Entries up to this one have reached the medium.
  package var synced: Seq
  /// The last written entry before some that were delivered and never written; nil where all that
  /// were delivered are on the disk.
  package var unkept: Seq?
  /// The bus clock at that time, from which it goes on should no entry be left.
  package var mono: Int64
  /// The number of the write; the slot with the higher one is valid.
  package var round: Int64

  package init(epoch: Epoch, synced: Seq, unkept: Seq?, mono: Int64, round: Int64) {
    self.mono = mono
    self.epoch = epoch
    self.synced = synced
    self.unkept = unkept
    self.round = round
  }

  /// The microseconds between two writes at most, while there are entries to be noted.
  package static let interval: Int64 = 1_000_000

  /// A sector, which a medium writes whole or not at all.
  private static let slot = 512

  /// The size of both slots.
  static let bytes = Int64(2 * slot)

  /// Reads the newer of the slots that are whole; nil where none is.
  package static func read(_ file: any DiskFile) throws(Errno) -> Watermark? {
    var newest: Watermark?
    let json = JSONReader(limit: slot)
    for index in 0..<2 {
      var bytes = ByteBuffer(capacity: slot)
      _ = try file.read(into: &bytes, at: Int64(index * slot), room: slot)
      guard let found = Watermark(bytes.bytes, with: json) else { continue }
      if found.round > newest?.round ?? -1 { newest = found }
    }
    return newest
  }

  /// Writes the watermark into the slot whose turn it is.
  package func write(to file: any DiskFile) throws(Errno) {
    var line = ByteBuffer(capacity: Self.slot)
    line.appendLine { line in
      line.append(member: "epoch", epoch.hex)
      line.append(member: "synced", synced.number)
      if let unkept { line.append(member: "unkept", unkept.number) }
      line.append(member: "mono", mono)
      line.append(member: "round", round)
    }
    line.truncate(to: line.count - 1)
    while line.count < Self.slot - 1 { line.append(byte: UInt8(ascii: " ")) }
    line.append(byte: UInt8(ascii: "\n"))
    try file.writeAll(line.bytes, at: round % 2 * Int64(Self.slot))
  }

  private init?(_ slot: Span<UInt8>, with json: JSONReader) {
    guard let brace = slot.firstIndex(of: "\"}") else { return nil }
    let line = slot.extracting(0..<brace + 2)
    guard LineChecksum.verified(line) != nil else { return nil }
    do throws(JSONFault) { try json.read(line) } catch { return nil }
    let document = json.document
    guard let hex = document.string("epoch", of: 0), let epoch = Epoch(hex: hex),
      let synced = document.seq("synced", of: 0),
      let mono = document.integer("mono", of: 0).flatMap(Stamp.stated),
      // Counted as entries are, and not more often.
      let round = document.seq("round", of: 0)
    else { return nil }
    self.init(
      epoch: epoch,
      synced: synced,
      unkept: document.seq("unkept", of: 0),
      mono: mono,
      round: round.number
    )
  }
}

/// The watermark on the disk; a start after a crash knows less without it, and nothing wrong.
struct WatermarkFile {
  var mark: Watermark
  private let disk: any Disk
  private var file: (any DiskFile)?

  init(_ mark: Watermark, on disk: any Disk) {
    self.mark = mark
    self.disk = disk
  }

  /// Writes how much is safe; `isWhole` is false while entries are in memory alone.
  mutating func write(synced: Seq, isWhole: Bool) {
    if file == nil { file = try? disk.openInPlaceOrCreate(Watermark.name) }
    guard let file else { return }
    mark.synced = max(mark.synced, synced)
    mark.unkept = isWhole ? nil : mark.unkept ?? synced
    mark.round += 1
    try? mark.write(to: file)
  }

  /// Waits until the medium has the watermark, at the end of the log.
  mutating func secure() throws(Errno) {
    do throws(Errno) {
      try file?.synchronize()
    } catch .noSuchFile {
      // The watermark was removed behind our back.
      file = nil
      write(synced: mark.synced, isWhole: mark.unkept == nil)
      try file?.synchronize()
      try disk.synchronizeNames()
    }
  }
}
