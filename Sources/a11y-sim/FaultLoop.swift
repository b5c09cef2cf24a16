// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yDaemon
import A11yPosix
import A11yWire

extension FaultLoop {
  /// Tries it all, and says what there was; true if nothing was found.
  func run() -> Bool {
    var tally = Tally(name: rawValue)
    switch self {
    case .ioFaults: Self.failEachCall(every: 1, &tally)
    case .crashes: Self.endAfterEachCall(every: 1, &tally)
    case .truncations: Self.truncate(every: 1, &tally)
    case .flips: Self.flip(every: 1, &tally)
    }
    say(tally.words)
    return tally.found.isEmpty
  }

  /// The outcome of many trials.
  struct Tally {
    let name: String
    private(set) var trials = 0
    private(set) var found: [String] = []

    init(name: String) { self.name = name }

    mutating func note(_ divergence: Divergence?, _ trial: @autoclosure () -> String) {
      trials += 1
      guard let divergence else { return }
      let words = "\(trial()): expected \(divergence.expected), came \(divergence.came)"
      if found.count < Self.told { say("\(name): \(words)") }
      found.append(words)
    }

    private static let told = 20

    var words: String { "\(name): \(trials) trials, \(found.count) findings" }
  }

  // MARK: Calls that fail

  private static let effects: [DiskFault.Effect] = [
    .fails(.inputOutput), .fails(.noSpace), .fails(.readOnlyFileSystem),
    .fails(.diskQuotaExceeded), .fails(.fileTooLarge), .isShort,
  ]

  private static func small() -> SimRun {
    var weather = Weather.calm(segmentBytes: 1_500)
    weather.kills = true
    return SimRun(
      Dice(seed: 5),
      weather,
      steps: 150,
      trace: Trace(isKept: false, isPrinted: false),
      canary: nil
    )
  }

  /// How many calls the small workload makes when nothing goes wrong.
  private static func calls() -> Int {
    let run = small()
    var most = 0
    run.onStep = { most = max(most, $0.calls) }
    _ = run.run()
    return most
  }

  /// Fails each call, once and from then on, with each errno that there is for it; from then on
  /// means until the run comes to its end.
  static func failEachCall(every stride: Int, _ tally: inout Tally) {
    let most = calls()
    for effect in effects {
      for isLasting in [false, true] {
        for after in Swift.stride(from: 0, to: most, by: stride) {
          let run = small()
          run.disk.faults = [
            DiskFault(effect, calls: .all, after: after, isLasting: isLasting)
          ]
          tally.note(run.run(), "\(effect) after \(after) calls, lasting \(isLasting)")
        }
      }
    }
  }

  // MARK: Ends

  /// Ends after each call, by a kill and by power cuts of each kind, and once more during the start
  /// that follows.
  static func endAfterEachCall(every stride: Int, _ tally: inout Tally) {
    let endings: [FileImage.Loss?] = [nil] + FileImage.Loss.allCases.map { $0 }
    for ending in endings {
      for end in Swift.stride(from: 1, through: calls(), by: stride) {
        for second in [nil, 1 + end % 29] {
          let run = small()
          run.ending = .some(ending)
          run.disk.lastCall = end
          run.secondEnd = second
          tally.note(
            run.run(),
            "\(ending.map { "a power cut (\($0))" } ?? "a kill") at call \(end), then at"
              + " \(second.map(String.init) ?? "none")"
          )
        }
      }
    }
  }

  // MARK: Damage

  /// Cuts the last 8 KiB of a segment at each byte, and puts zeros and junk behind it.
  static func truncate(every stride: Int, _ tally: inout Tally) {
    let log = Examination(steps: 100, segmentBytes: 12_000)
    for name in log.segments.suffix(2) {
      let size = log.content(name).count
      for cut in Swift.stride(from: 0, through: min(size, 8_192), by: stride) {
        tally.note(
          log.examine { disk in disk.rot(name) { $0.removeLast(cut) } },
          "\(name) without its last \(cut) bytes"
        )
      }
      for count in Swift.stride(from: 1, through: 4_096, by: max(stride, 61)) {
        tally.note(
          log.examine { disk in disk.rot(name) { $0 += repeatElement(0, count: count) } },
          "\(name) with \(count) zeros behind it"
        )
        let dice = Dice(seed: UInt64(count))
        tally.note(
          log.examine { disk in
            disk.rot(name) { $0 += (0..<count).map { _ in UInt8(dice.below(256)) } }
          },
          "\(name) with \(count) bytes of junk behind it"
        )
      }
    }
    exchange(log, &tally)
  }

  /// Deletes, swaps, doubles and replaces segments.
  private static func exchange(_ log: Examination, _ tally: inout Tally) {
    for name in log.segments {
      tally.note(log.examine { $0.plant(name, nil) }, "\(name) deleted")
      tally.note(log.examine { $0.plant(name, .other) }, "\(name) replaced by a pipe")
      tally.note(log.examine { $0.plant(name, bytes: []) }, "\(name) emptied")
      for other in log.segments where other > name {
        tally.note(log.examine { $0.swap(name, other) }, "\(name) and \(other) swapped")
        tally.note(
          log.examine { $0.plant(other, bytes: log.content(name)) },
          "\(name) in the place of \(other)"
        )
      }
      let copy = DiskReading.name(log.last + 100)
      tally.note(
        log.examine { $0.plant(copy, bytes: log.content(name)) },
        "\(name) a second time, as \(copy)"
      )
    }
  }

  /// Flips bits of a segment of 64 KiB, one after the other.
  static func flip(every stride: Int, _ tally: inout Tally) {
    let log = Examination(steps: 420, segmentBytes: 65_536)
    let name = log.segment
    let bits = log.content(name).count * 8
    say("flips: each of the \(bits) bits of \(name)")
    for bit in Swift.stride(from: 0, to: bits, by: stride) {
      tally.note(
        log.examine { disk in disk.rot(name) { $0[bit / 8] ^= 1 << UInt8(bit % 8) } },
        "bit \(bit % 8) of byte \(bit / 8) of \(name)"
      )
      if tally.trials.isMultiple(of: 50_000) { say("\(tally.words) of \(bits)") }
    }
  }
}

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
