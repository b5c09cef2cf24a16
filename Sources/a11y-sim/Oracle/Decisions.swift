// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

// What the bus decides, as far as it can be judged without knowing its rules.
extension Chronicle {
  private static let presentable: Set<String> = [
    "announcement", "layout-changed", "screen-changed", "page-scrolled", "voiceover-status",
  ]

  /// Looks at all decisions that are on the log, over all lives of the bus.
  ///
  /// No event ends twice, and nothing is delivered of one that has ended; the clock never goes back.
  /// When `isOver`, nothing waits any more: then every event has an end, unless damage may have taken
  /// it.
  func checkDecisions(isOver: Bool) {
    var ends: [Int64: Int64] = [:]
    var mono: Int64 = 0
    for seq in known.keys.sorted() where losses[seq] == nil {
      guard let entry = known[seq] else { continue }
      judge.check(
        entry.entry.mono >= mono,
        expected: "a bus clock that never goes back, at \(mono) or later",
        came: shown(entry.line)
      )
      mono = max(mono, entry.entry.mono)
      guard entry.entry.conn == 0 else { continue }
      switch entry.about.type {
      case "deliver":
        for of in entry.about.of where ends[of] != nil {
          judge.blame(
            expected: "nothing more of \(of), which ended at \(ends[of] ?? 0)",
            came: shown(entry.line)
          )
        }
      case "outcome":
        for of in entry.about.of {
          if let end = ends[of] {
            judge.blame(expected: "one end of \(of), at \(end)", came: shown(entry.line))
          }
          judge.check(of < seq, expected: "ends of what has begun", came: shown(entry.line))
          ends[of] = seq
        }
      default: break
      }
    }
    guard isOver else { return }
    var seq = top
    while let entry = known[seq], losses[seq] == nil {
      if entry.publication != nil, Self.presentable.contains(entry.about.type) {
        judge.check(
          ends[seq] != nil,
          expected: "an outcome of \(shown(entry.line))",
          came: "none up to \(top)"
        )
      }
      seq -= 1
    }
  }
}
