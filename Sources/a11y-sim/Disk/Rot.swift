// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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
