// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix

/// One file as a machine has it: what its medium holds, and what only its memory knows.
///
/// A program that reads sees the memory. A power cut leaves the medium, and of what was on its way
/// there any part: each write whole, lost, torn at a sector or within one, or with a later sector
/// written and an earlier one not. Bytes by which a file was extended and that were not written
/// are NULs.
final class FileImage {
  /// A change that the medium need not know of yet.
  private enum Change {
    case write(offset: Int, bytes: [UInt8])
    case truncate(Int)
  }

  /// The bytes that a medium writes in one piece.
  static let sector = 512

  /// The content that a program reads.
  private(set) var seen: [UInt8] = []
  /// The content on the medium.
  private(set) var durable: [UInt8] = []
  private var pending: [Change] = []
  /// Seen, and neither on the medium nor on its way there.
  private var doubtful: [Range<Int>] = []
  /// When it was last written to, by the wall clock.
  var modified: Int64 = 0
  /// The number that no other file has.
  let birth: FileBirth

  init(_ birth: FileBirth) { self.birth = birth }

  /// A file that has lain on the medium for long.
  init(_ birth: FileBirth, durable bytes: [UInt8]) {
    self.birth = birth
    seen = bytes
    durable = bytes
  }

  // MARK: What a program does

  func writePending(_ bytes: Span<UInt8>, at offset: Int) {
    guard bytes.count > 0 else { return }
    let copy = bytes.withUnsafeBufferPointer { Array($0) }
    Self.lay(copy, at: offset, over: &seen)
    pending.append(.write(offset: offset, bytes: copy))
  }

  func truncate(to size: Int) {
    Self.cut(&seen, to: size)
    pending.append(.truncate(size))
  }

  func synchronize() {
    for change in pending { Self.apply(change, to: &durable) }
    pending.removeAll(keepingCapacity: true)
  }

  /// The medium has refused: what was on its way counts as done with.
  ///
  /// A later success says nothing about it. Memory goes on showing it until it is needed for
  /// something else, and then shows what the medium really has.
  func loseTrack(_ dice: Dice) {
    for change in pending {
      if case .write(let offset, let bytes) = change, !dice.once(in: 3) {
        doubtful.append(offset..<offset + bytes.count)
      } else {
        Self.apply(change, to: &durable)
      }
    }
    pending.removeAll(keepingCapacity: true)
  }

  /// Memory forgets what the medium does not have.
  func evict() {
    for range in doubtful {
      for index in range where index < seen.count {
        seen[index] = index < durable.count ? durable[index] : 0
      }
    }
    doubtful.removeAll()
  }

  // MARK: What a power cut does

  /// How a power cut treats what was on its way.
  enum Loss: CaseIterable {
    case nothing, everything
    /// In order up to some point, within a write even.
    case tail
    /// Each write, and each sector of it, for itself.
    case anything
  }

  func losePower(_ dice: Dice, _ loss: Loss) {
    let wanted = seen.count
    let end = dice.below(pending.count + 1)
    for (index, change) in pending.enumerated() {
      switch loss {
      case .nothing: Self.apply(change, to: &durable)
      case .everything: break
      case .tail:
        if index < end {
          Self.apply(change, to: &durable)
        } else if index == end {
          applyFront(change, dice)
        }
      case .anything: applyPart(change, dice)
      }
    }
    // The new size may have come to the medium before the content.
    if wanted > durable.count, loss == .anything || loss == .tail, dice.chance(40) {
      let size = dice.chance(50) ? wanted : dice.within(durable.count...wanted)
      Self.cut(&durable, to: size)
    }
    pending.removeAll()
    doubtful.removeAll()
    seen = durable
  }

  private func applyFront(_ change: Change, _ dice: Dice) {
    guard case .write(let offset, let bytes) = change else { return }
    var count = dice.below(bytes.count + 1)
    if dice.chance(50) {
      count = max(0, (offset + count) / Self.sector * Self.sector - offset)
    }
    Self.lay(Array(bytes[..<count]), at: offset, over: &durable)
  }

  private func applyPart(_ change: Change, _ dice: Dice) {
    guard case .write(let offset, let bytes) = change else {
      if dice.chance(50) { Self.apply(change, to: &durable) }
      return
    }
    switch dice.below(4) {
    case 0: Self.apply(change, to: &durable)
    case 1: break
    case 2: applyFront(change, dice)
    default:
      var start = 0
      while start < bytes.count {
        let next = min(((offset + start) / Self.sector + 1) * Self.sector - offset, bytes.count)
        if dice.chance(50) {
          Self.lay(Array(bytes[start..<next]), at: offset + start, over: &durable)
        }
        start = next
      }
    }
  }

  // MARK: What time does

  /// Puts other content on the medium, behind everybody's back; by then all had come there.
  func rot(_ change: (inout [UInt8]) -> Void) {
    change(&seen)
    pending.removeAll()
    durable = seen
  }

  // MARK: Bytes

  private static func apply(_ change: Change, to bytes: inout [UInt8]) {
    switch change {
    case .write(let offset, let written): lay(written, at: offset, over: &bytes)
    case .truncate(let size): cut(&bytes, to: size)
    }
  }

  private static func lay(_ more: [UInt8], at offset: Int, over bytes: inout [UInt8]) {
    if offset > bytes.count { cut(&bytes, to: offset) }
    if offset == bytes.count {
      bytes += more
      return
    }
    let common = min(more.count, bytes.count - offset)
    bytes.replaceSubrange(offset..<offset + common, with: more[..<common])
    if common < more.count { bytes += more[common...] }
  }

  private static func cut(_ bytes: inout [UInt8], to size: Int) {
    if size <= bytes.count {
      bytes.removeLast(bytes.count - size)
    } else {
      bytes += repeatElement(0, count: size - bytes.count)
    }
  }
}

/// Damage that time and people do to the files of a log that nobody uses.
struct Rot {
  private let disk: SimDisk
  private let dice: Dice

  init(_ disk: SimDisk, _ dice: Dice) {
    self.disk = disk
    self.dice = dice
  }

  /// Does one thing, and says in words what it was.
  func strike() -> String {
    let names = disk.fileNames.filter { !$0.contains("/") }
    let segments = names.filter { DiskReading.first($0) != nil }
    guard let name = segments.isEmpty ? names.first : dice.pick(dice.chance(75) ? segments : names)
    else { return "nothing" }
    let size = disk.content(name)?.count ?? 0
    switch dice.below(12) {
    case 0..<4:
      guard size > 0 else { return "nothing" }
      let bit = dice.below(size * 8)
      disk.rot(name) { $0[bit / 8] ^= 1 << UInt8(bit % 8) }
      return "bit \(bit % 8) of byte \(bit / 8) of \(name) flips"
    case 4:
      let left = dice.below(size + 1)
      disk.rot(name) { $0.removeLast($0.count - left) }
      return "\(name) is cut to \(left) of \(size) bytes"
    case 5:
      let zeros = dice.within(1...5_000)
      disk.rot(name) { $0 += repeatElement(0, count: zeros) }
      return "\(name) grows by \(zeros) zeros"
    case 6:
      let junk = (0..<dice.within(1...600)).map { _ in UInt8(dice.below(256)) }
      disk.rot(name) { $0 += junk }
      return "\(name) grows by \(junk.count) bytes of junk"
    case 7:
      let start = dice.below(size + 1) / FileImage.sector * FileImage.sector
      disk.rot(name) { bytes in
        for index in start..<min(start + FileImage.sector, bytes.count) { bytes[index] = 0 }
      }
      return "a sector of \(name) at \(start) is zeros"
    case 8:
      disk.plant(name, nil)
      return "\(name) is deleted"
    case 9:
      let other = dice.pick(segments.isEmpty ? names : segments)
      disk.swap(name, other)
      return "\(name) and \(other) change places"
    case 10:
      guard let first = DiskReading.first(name), let bytes = disk.content(name) else {
        return "nothing"
      }
      let copy = DiskReading.name(first + Int64(dice.within(1...40)))
      guard disk.content(copy) == nil else { return "nothing" }
      disk.plant(copy, bytes: bytes)
      return "\(name) is there a second time as \(copy)"
    default:
      disk.plant(name, .other)
      return "\(name) is no file any more"
    }
  }
}
