// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

// The bus's decisions, as far as they can be judged without knowing its rules.
extension Chronicle {
  /// Types that end in an outcome, every time.
  private static let presentable: Set<String> = [
    "announcement", "layout-changed", "screen-changed", "page-scrolled", "voiceover-status",
    "focus",
  ]

  /// Types that may be presented, and so may have an outcome.
  private static let presented = presentable.union(["elements", "focus-changed", "action"])

  /// Looks at all decisions that are on the log, over all lives of the bus.
  ///
  /// Each speaks of an earlier entry of its kind. No event ends twice, and nothing is delivered of
  /// one that has ended; the clock never goes back. When `isOver`, nothing waits any more: then
  /// every event has an end, unless damage may have taken it.
  func checkDecisions(isOver: Bool) {
    var ends: [Int64: Int64] = [:]
    var succession = Succession()
    var mono: Int64 = 0
    for seq in known.keys.sorted() where losses[seq] == nil {
      guard let entry = known[seq], !mayBeForgotten(entry) else { continue }
      judge.check(
        entry.entry.mono >= mono,
        expected: "a bus clock that never goes back, at \(mono) or later",
        came: shown(entry.line)
      )
      mono = max(mono, entry.entry.mono)
      succession.follow(entry, judge)
      guard entry.entry.conn == 0 else { continue }
      switch entry.about.type {
      case "deliver":
        checkSubjects(of: entry, Self.presented)
        for of in entry.about.of where ends[of] != nil && !isEcho(entry, of) {
          judge.blame(
            expected: "nothing more of \(of), which ended at \(ends[of] ?? 0)",
            came: shown(entry.line)
          )
        }
      case "outcome":
        checkSubjects(of: entry, Self.presented)
        for of in entry.about.of {
          if let end = ends[of] {
            judge.blame(expected: "one end of \(of), at \(end)", came: shown(entry.line))
          }
          ends[of] = seq
        }
      case "silence": checkSubjects(of: entry, ["deliver"])
      default: break
      }
    }
    if isOver { checkEnds(ends) }
  }

  /// A reader that joins is told the present focus, though other readers have heard of it.
  private func isEcho(_ deliver: Known, _ of: Int64) -> Bool {
    deliver.about.isAgain && known[of].map { $0.about.type == "focus" } ?? true
  }

  private func checkSubjects(of entry: Known, _ types: Set<String>) {
    judge.check(
      !entry.about.of.isEmpty && entry.about.of.allSatisfy { $0 < entry.entry.seq },
      expected: "words about what was before",
      came: shown(entry.line)
    )
    for of in entry.about.of where losses[of] == nil {
      guard let subject = known[of] else { continue }
      judge.check(
        types.contains(subject.about.type),
        expected: "words about \(types.sorted().joined(separator: ", "))",
        came: "\(shown(entry.line)) about \(shown(subject.line))"
      )
    }
  }

  private func checkEnds(_ ends: [Int64: Int64]) {
    var seq = top
    while let entry = known[seq], losses[seq] == nil {
      if Self.presentable.contains(entry.about.type), !mayBeForgotten(entry) {
        judge.check(
          ends[seq] != nil,
          expected: "an outcome of \(shown(entry.line))",
          came: "none up to \(top)"
        )
      }
      seq -= 1
    }
  }

  /// Judges the epoch of a start, and the `opened` entry that names it.
  func checkEpoch(opened: Int64?, retained: Int64) {
    judge.check(
      epochs.last?.hex == epoch,
      expected: "epoch \(epochs.last?.hex ?? "")",
      came: epoch
    )
    // The `opened` entry may have been dropped before anybody read it.
    if let opened, opened >= retained {
      judge.check(
        known[opened]?.about.epoch == epoch,
        expected: "an opened entry for epoch \(epoch)",
        came: known[opened].map { shown($0.line) } ?? "none"
      )
    }
  }

  /// Whether an entry is there and of this type, as far as anybody has seen it.
  func mayBe(_ type: String, at seq: Int64) -> Bool {
    1...busLast() ~= seq && known[seq].map { $0.about.type == type } ?? true
  }
}
