// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The daemon's watermark, which is written after each sync of the log.
///
/// The rounds in it are numbered, so their difference is the number of syncs, without asking the
/// daemon.
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
