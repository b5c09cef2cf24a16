// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// One subscription as the subscriber sees it, line by line.
final class View {
  private let chronicle: Chronicle
  private var judge: Judge { chronicle.judge }
  let name: String
  let filter: SimFilter?
  let isLatest: Bool
  private let epoch: String
  private let start: Int64
  /// Up to here everything is accounted for.
  private(set) var position: Int64
  private(set) var isCaughtUp = false
  /// Whether a state is owed before anything else.
  private var awaitsState: Bool
  private(set) var delivered: [Int64] = []
  private(set) var gaps: [ClosedRange<Int64>] = []
  private var skipped = 0
  /// The cursor of the last entry that it has got.
  var cursor: String { "\(epoch):\(position)" }

  init(
    _ chronicle: Chronicle,
    name: String,
    filter: SimFilter?,
    isLatest: Bool,
    awaitsState: Bool,
    epoch: String,
    after start: Int64
  ) {
    self.chronicle = chronicle
    self.name = name
    self.filter = filter
    self.isLatest = isLatest
    self.awaitsState = awaitsState
    self.epoch = epoch
    self.start = start
    position = start
  }

  private var isWhole: Bool { filter == nil && !isLatest }

  /// Takes the state right after the entry that the view begins behind, or behind a lost stretch.
  func takeState(_ line: [UInt8], epoch: String, seq: Int64, retained first: Int64) {
    judge.check(
      awaitsState && epoch == chronicle.epoch
        && (seq == start || seq > start && start + 1 < first),
      expected: "\(name): the state after \(start), once, if it was asked for",
      came: shown(line)
    )
    awaitsState = false
    chronicle.acceptState(line, after: seq)
  }

  private func checkState(_ came: String) {
    judge.check(!awaitsState, expected: "\(name): the state first", came: came)
  }

  func receive(_ line: [UInt8]) {
    checkState(shown(line))
    guard let known = chronicle.accept(line) else { return }
    let seq = known.entry.seq
    judge.check(
      isWhole ? seq == position + 1 : seq > position,
      expected: "\(name): entry \(position + 1)\(isWhole ? "" : " or later")",
      came: shown(line)
    )
    judge.check(
      filter?.admits(known.about) ?? true,
      expected: "\(name): only what passes \(filter?.json ?? "")",
      came: shown(line)
    )
    delivered.append(seq)
    position = max(position, seq)
  }

  func takeGap(from: Int64, to: Int64, reason: String, retained first: Int64) {
    checkState("a gap")
    judge.check(
      isWhole ? from == position + 1 && to >= from : from > position && to >= from,
      expected: "\(name): a gap that begins at \(position + 1)",
      came: "from \(from) to \(to)"
    )
    guard to >= from, to - from < 1_000_000 else {
      judge.blame(expected: "a gap of a size that can be", came: "from \(from) to \(to)")
      return
    }
    chronicle.acceptGap(from: from, to: to, reason: reason, retained: first)
    gaps.append(from...to)
    position = max(position, to)
  }

  func takeCaughtUp(epoch: String, seq: Int64) {
    checkState("caught-up")
    judge.check(
      !isCaughtUp,
      expected: "\(name): caught-up once",
      came: "once more, at \(seq)"
    )
    isCaughtUp = true
    judgePlace(epoch, seq, "caught-up")
    chronicle.reach(seq)
    if isWhole {
      judge.check(
        seq == position,
        expected: "\(name): caught-up at \(position), the last entry that it was sent",
        came: "caught-up at \(seq)"
      )
    }
    position = max(position, seq)
  }

  func takeCheckpoint(epoch: String, seq: Int64) {
    judgePlace(epoch, seq, "checkpoint")
    judge.check(
      seq > position,
      expected: "\(name): a checkpoint that has moved on from \(position)",
      came: "\(seq)"
    )
    position = max(position, seq)
  }

  func takeSkipped(_ count: Int) {
    judge.check(
      isLatest && count > 0,
      expected: "\(name): nothing skipped",
      came: "\(count) skipped"
    )
    skipped += count
  }

  private func judgePlace(_ epoch: String, _ seq: Int64, _ mark: String) {
    judge.check(
      epoch == chronicle.epoch && seq >= position,
      expected: "\(name): \(mark) in epoch \(chronicle.epoch), at \(position) or later",
      came: "\(epoch):\(seq)"
    )
  }

  /// Looks back once the chronicle knows all entries: nothing was left out, nothing came too often.
  ///
  /// One that ended before it came to rest may still wait for the newer entry that stands for
  /// others.
  func close(retained first: Int64, isAtRest: Bool) {
    let got = Set(delivered)
    judge.check(
      got.count == delivered.count,
      expected: "\(name): each entry once",
      came: "\(delivered.count - got.count) of them twice"
    )
    guard !isWhole, position > start else { return }
    var missing = 0
    var isAllKnown = true
    for seq in (start + 1)...position where !got.contains(seq) {
      guard !gaps.contains(where: { $0.contains(seq) }) else { continue }
      guard let known = chronicle.known[seq] else {
        isAllKnown = false
        continue
      }
      // Of what is forgotten nothing is left that a filter could look at.
      guard !chronicle.mayBeForgotten(known) else {
        isAllKnown = false
        continue
      }
      guard filter?.admits(known.about) ?? true else { continue }
      missing += 1
      guard chronicle.losses[seq] == nil, seq >= first else { continue }
      if isLatest {
        judge.check(
          !["deliver", "outcome", "silence"].contains(known.about.type)
            && (!isAtRest || isReplaced(seq, known)),
          expected: "\(name): entry \(seq), for which no newer one stands",
          came: "it was skipped"
        )
      } else {
        judge.blame(
          expected: "\(name): entry \(seq), which passes its filter: \(shown(known.line))",
          came: "position \(position) without it"
        )
      }
    }
    if isLatest, isAtRest, isAllKnown {
      judge.check(
        missing == skipped,
        expected: "\(name): \(missing) skipped",
        came: "\(skipped)"
      )
    }
  }

  /// Whether a later entry about the same thing has come in its place.
  private func isReplaced(_ seq: Int64, _ known: Known) -> Bool {
    delivered.contains { later in
      guard later > seq, let other = chronicle.known[later] else { return false }
      return other.about.type == known.about.type && other.about.app == known.about.app
        && other.about.window == known.about.window && other.about.key == known.about.key
    }
  }
}
