// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yLog
import A11yPlay
import A11yWire

/// Decides a log anew from each of its segments on, with the state that is written beside it.
///
/// Wherever a replay begins, it comes to the decisions on record, byte for byte: a state that does
/// not keep all that decisions follow from, or not their order, shows here.
struct ReplayCheck {
  private let disk: SimDisk
  private let entries: [(seq: Int64, line: [UInt8])]
  private let firsts: [Int64]

  init(_ disk: SimDisk) {
    self.disk = disk
    entries = DiskReading(disk).entries.sorted { $0.key < $1.key }
      .map { (seq: $0.key, line: $0.value) }
    firsts = disk.fileNames.compactMap(DiskReading.first).sorted()
  }

  /// Lost entries have decided what cannot be told any more: such a log is believed.
  private var isWhole: Bool {
    guard let first = entries.first, let last = entries.last else { return false }
    return last.seq - first.seq + 1 == Int64(entries.count)
  }

  func judge(_ judge: Judge) {
    guard isWhole else { return }
    for first in firsts where judge.divergence == nil { replay(from: first, judge) }
  }

  private func replay(from first: Int64, _ judge: Judge) {
    var replay = Replay()
    let beginnings = Set(firsts)
    for (seq, line) in entries where seq >= first {
      if beginnings.contains(seq), replay.isAtLoss(before: Seq(seq)) { resume(&replay, at: seq) }
      guard let difference = replay.take(line.span) else { continue }
      return judge.blame(
        expected: "a replay from \(first) on to decide what the log says: "
          + (difference.recorded.map(Self.text) ?? "nothing more"),
        came: difference.decided.map(Self.text) ?? "nothing"
      )
    }
  }

  private func resume(_ replay: inout Replay, at first: Int64) {
    let reader = JSONReader(limit: Limits.answerBytes)
    guard
      let known = Checkpoint<BrokerState>.read(beside: Seq(first), on: disk, with: reader),
      !known.hasForgotten
    else { return }
    replay.resume(known.state.presenter, after: known.after)
  }

  private static func text(_ line: [UInt8]) -> String { String(decoding: line, as: UTF8.self) }
}
