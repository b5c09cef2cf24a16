// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The file in which a daemon notes, after each answer of the disk, what is safe.
///
/// It numbers its notes, so their difference tells how often the disk was asked, without a word
/// to the daemon.
enum WatermarkFile {
  static func round(in state: String) throws(BenchFailure) -> Int {
    let slots = Files.text(state + "/watermark")?.split(separator: "\n") ?? []
    let rounds = slots.compactMap { slot in
      Array(slot.utf8).withUnsafeBytes { number(behind: #""round":"#, in: $0) }
    }
    guard let newest = rounds.max() else {
      throw BenchFailure("\(state)/watermark does not tell how often the disk was asked")
    }
    return newest
  }
}
