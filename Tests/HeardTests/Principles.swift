// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPlay
import A11yTestKit
import Testing

/// The principles that hold for every script.
extension Heard {
  /// Types that must end in exactly one outcome.
  private static let presentable: Set = [
    "announcement", "layout-changed", "screen-changed", "page-scrolled", "voiceover-status",
    "focus",
  ]
  /// Types that may end in an outcome.
  private static let perhaps: Set = ["elements", "focus-changed"]
  private static let results: Set = [
    "heard", "interrupted", "coalesced", "duplicate", "superseded", "inhibited", "summarised",
    "expired", "denied", "undeliverable", "cancelled", "handled", "unhandled",
  ]

  func expectPrinciples() {
    #expect(refused == [], "no line is refused")
    #expect(entries.map(\.seq) == Array(1...Int64(entries.count)), "seqs are dense")
    #expect(entries.map(\.mono) == entries.map(\.mono).sorted(), "mono never goes back")
    expectOneOutcomeEach()
    expectSilenceToEndAtOnce()
    expectOneUtteranceAtATime()
    expectNothingToBeWrittenWhenFalse()
    expectTheSameOnceMore()
  }

  /// Decisions follow from the log alone.
  private func expectTheSameOnceMore() {
    var replay = Replay()
    for line in lines {
      guard let divergence = replay.take(Array(line.utf8).span) else { continue }
      let decided = divergence.decided.map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
      Issue.record("decided otherwise: \(decided) for \(line)\n\(self)")
      return
    }
    #expect(replay.compared > 0 || entries("deliver").isEmpty)
  }

  private func expectOneOutcomeEach() {
    var outcomes: [Int64: Int] = [:]
    for entry in entries where entry.type == "outcome" {
      let event = entry["event"]
      outcomes[event["of"].integer ?? 0, default: 0] += 1
      #expect(Self.results.contains(event["result"].string ?? ""), "\(entry)")
      #expect(event["of"].integer ?? 0 < entry.seq, "an outcome comes after its event")
      if let by = event["by"].integer {
        #expect(0 < by && by < entry.seq && by != event["of"].integer, "\(entry)")
      }
    }
    let gestures = Set(
      entries.filter { $0.type == "gesture" }.compactMap { $0["event"]["action"].integer }
    )
    for entry in entries {
      let count = outcomes[entry.seq] ?? 0
      if Self.presentable.contains(entry.type) || gestures.contains(entry.seq) {
        #expect(count == 1, "\(entry.type) \(entry.seq) has \(count) outcomes\n\(self)")
      } else if Self.perhaps.contains(entry.type) {
        #expect(count <= 1, "\(entry.type) \(entry.seq) has \(count) outcomes\n\(self)")
      } else {
        #expect(count == 0, "\(entry.type) \(entry.seq) has \(count) outcomes\n\(self)")
      }
    }
  }

  /// A delivery with nothing to speak needs no report.
  private func expectSilenceToEndAtOnce() {
    for entry in entries where entry.type == "deliver" && entry["event"]["speak"].count == 0 {
      for of in ofs(entry) {
        let subject = entries.first { $0.seq == of } ?? .absent
        guard Self.presentable.contains(subject.type) else { continue }
        let end = outcome(of: of)
        #expect(end.mono <= entry.mono, "\(entry)\n\(self)")
        if end["event"]["result"].string == "heard" {
          #expect(end.mono == entry.mono && end["event"]["why"]["silent"].bool == true, "\(end)")
        }
      }
    }
  }

  /// One utterance is with the reader that owns speech.
  private func expectOneUtteranceAtATime() {
    var current: JSON = .absent
    var ended: Set<Int64> = []
    for entry in entries {
      switch entry.type {
      case "deliver" where entry["event"]["speak"].count ?? 0 > 0:
        // A delivery whose end nobody reports is over when it should be.
        let length = (current["event"]["speak"].list ?? []).reduce(0) {
          $0 + ($1["text"].string?.unicodeScalars.count ?? 0)
        }
        if current.isThere, entry.mono >= current.mono + Int64(length) * 50_000 + 2_000_000 {
          current = .absent
        }
        if current.isThere, current["event"]["to"] == entry["event"]["to"] {
          let cut = entry["event"]["interrupts"].integer
          #expect(cut == current.seq, "\(entry) while \(current) is being spoken\n\(self)")
        }
        current = entry
      case "speech"
      where ["finished", "interrupted", "lost", "elsewhere"]
        .contains(entry["event"]["state"].string):
        ended.insert(entry["event"]["of"].integer ?? 0)
        if ended.contains(current.seq) { current = .absent }
      case "silence" where entry["event"]["of"].integer == current.seq: current = .absent
      case "outcome" where ofs(current).contains(entry["event"]["of"].integer ?? 0):
        current = .absent
      default: break
      }
    }
  }

  private func expectNothingToBeWrittenWhenFalse() {
    let flags = ["again", "boundary", "truncated"]
    for entry in entries where entry.type == "deliver" {
      for flag in flags { #expect(entry["event"][flag] != .bool(false), "\(entry)") }
      if let late = entry["event"]["late_ms"].integer { #expect(late > 1_000, "\(entry)") }
    }
  }
}
