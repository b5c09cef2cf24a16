// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
import A11yWire

// How the medium comes to have what is written.
extension EventLog {
  package var hasUnsynced: Bool { !durability.isIdle }

  /// Whether segments fill faster than the medium gets them.
  package var isCrowded: Bool { durability.isCrowded }

  package func synchronize() {
    spare.tidy()
    durability.hurry(through: last)
  }

  /// The consequence of an answer of the disk.
  package enum SyncNews: Equatable, Sendable {
    case nothing
    /// Entries up to `synced` are safe.
    case progress
    /// The disk has not kept written entries; they are in another segment now.
    case rescued(Errno)
    /// The log is in `trouble`, and entries that are to be safe are not.
    case failed(Errno)
  }

  package func takeSyncAnswer(mono: Int64) -> SyncNews {
    switch durability.takeAnswer() {
    case nil: return .nothing
    case .success:
      confirmSafety()
      return .progress
    case .failure(let error):
      return rescue(from: error, mono: mono)
    }
  }

  /// Waits until the medium has everything that is written.
  func secure(mono: Int64) -> SyncNews {
    guard trouble == nil, hasUnsynced else { return .nothing }
    do throws(Errno) {
      try disk.synchronizeNames()
      try durability.finish()
      confirmSafety()
      return .progress
    } catch {
      return rescue(from: error, mono: mono)
    }
  }

  private func confirmSafety() {
    isOnProbation = false
    if !hasUnsynced { spare.clear() }
    if trouble != nil, active.file != nil { endTrouble() } else { writeWatermark() }
  }

  /// Writes the watermark: how much is safe, and whether entries are in memory alone.
  func writeWatermark() {
    if watermarkFile == nil { watermarkFile = try? disk.openInPlaceOrCreate(Watermark.name) }
    guard let watermarkFile else { return }
    watermark.synced = max(watermark.synced, durability.synced)
    watermark.unkept = trouble == nil ? nil : watermark.unkept ?? durability.synced
    watermark.round += 1
    // A start after a crash knows less without it, and nothing wrong.
    try? watermark.write(to: watermarkFile)
  }
}
