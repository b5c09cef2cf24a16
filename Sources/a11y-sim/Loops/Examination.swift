// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yDaemon
import A11yPosix
import A11yWire

/// A log that was written and closed well, to be damaged in one way after the other.
///
/// Each time the real recovery opens a copy of it and the real feed delivers it, and every entry
/// has to come as it was, or to be missing because the damage has hit it, and be declared.
final class Examination {
  private let base: SimDisk
  private let chronicle: Chronicle
  private let clock: SimClock
  private let before: DiskReading
  /// The last entry that the log holds.
  let last: Int64

  /// Writes a log of so many steps, in segments of this size.
  init(steps: Int, segmentBytes: Int) {
    let run = SimRun(
      Dice(seed: 11),
      .calm(segmentBytes: segmentBytes),
      steps: steps,
      trace: Trace(isKept: false, isPrinted: false),
      canary: nil
    )
    let divergence = run.runOnce()
    precondition(divergence == nil, "a log without misfortunes is fine: \(divergence as Any)")
    base = SimDisk(copying: run.disk, Dice(seed: 1))
    chronicle = run.chronicle
    clock = run.clock
    before = DiskReading(base)
    last = before.last
  }

  /// The largest segment, which holds most of the entries.
  var segment: String {
    let names = base.fileNames.filter { DiskReading.first($0) != nil }
    return names.max { content($0).count < content($1).count } ?? ""
  }

  var segments: [String] { base.fileNames.filter { DiskReading.first($0) != nil } }

  func content(_ name: String) -> [UInt8] { base.content(name) ?? [] }

  /// Damages a copy, starts the bus on it and reads everything.
  func examine(_ damage: (SimDisk) -> Void) -> Divergence? {
    let judge = Judge()
    let chronicle = Chronicle(copying: chronicle, judge)
    let dice = Dice(seed: 2)
    let disk = SimDisk(copying: base, dice)
    damage(disk)
    let after = DiskReading(disk)
    chronicle.damage(from: before, to: after)
    chronicle.isHealthy = false
    let process: BusProcess
    do throws(Errno) {
      process = try BusProcess(
        BusProcess.Place(
          disk: disk,
          clock: clock,
          settings: .withoutRules,
          lies: false,
          forgets: false,
          left: nil,
          epoch: .fresh(dice),
          onReport: { _ in },
          noteLeft: { _ in }
        )
      )
    } catch {
      judge.blame(expected: "a start, whatever the damage", came: "\(error)")
      return judge.divergence
    }
    chronicle.epoch = process.epoch
    let client = SimClient(chronicle, app: "reader", uid: 1_000, isReader: false)
    client.retained = process.first
    let link = SimLink(dice, room: 1_048_576, isChoppy: false, hasStopped: { false })
    client.connect(link)
    client.subscribe(Asked.Wish(from: .start, filter: nil, isLatest: false, hasState: false))
    process.admit(link, uid: 1_000)
    var rounds = 0
    while judge.divergence == nil, !(client.view?.isCaughtUp ?? false) {
      _ = client.writeRequests()
      process.serve(among: dice, all: true)
      _ = client.readReplies(.max)
      rounds += 1
      judge.check(rounds < 1_000, expected: "the end of the log", came: "no end")
    }
    for (seq, line) in after.entries.sorted(by: { $0.key < $1.key })
    where seq >= process.first && chronicle.known[seq]?.line != line {
      judge.blame(expected: "entry \(seq): \(shown(line))", came: "none, or another")
    }
    chronicle.checkDecisions(isOver: false)
    if let view = client.view {
      let got = Set(view.delivered)
      for seq in after.entries.keys.sorted() where seq >= process.first && !got.contains(seq) {
        judge.blame(expected: "entry \(seq), which is whole on the disk", came: "none")
      }
    }
    return judge.divergence
  }
}
