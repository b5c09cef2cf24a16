// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient

/// A delivery as something to read.
package struct BrailleMessage: Equatable, Sendable {
  /// The importance.
  package enum Rank: Int, Comparable, Sendable {
    case low
    case usual
    case high

    init(_ priority: String) {
      switch priority {
      case "low": self = .low
      case "high": self = .high
      default: self = .usual
      }
    }

    package static func < (a: Rank, b: Rank) -> Bool { a.rawValue < b.rawValue }
  }

  let seq: Int64
  /// The events that it tells of.
  let of: [Int64]
  let rank: Rank
  let text: BrailleText
  /// Whether its words are nowhere once they have left the display.
  let isSecret: Bool

  init(_ delivery: DeliveryEntry, _ text: String, isSecret: Bool) {
    seq = delivery.seq
    of = delivery.of
    rank = Rank(delivery.priority)
    self.text = BrailleText(text)
    self.isSecret = isSecret
  }
}

/// A delivery whose hidden words come with the next line, or never.
struct HiddenMessage: Equatable, Sendable {
  let delivery: DeliveryEntry
  /// The end of the wait for them.
  let until: Int64

  private static let bullet = "•"

  /// The message with the words that the log does not hold: those of a secure element as bullets.
  func message(kind: String, _ words: SpeechText) -> BrailleMessage {
    guard kind == "value" else { return BrailleMessage(delivery, words.text, isSecret: true) }
    let texts = words.runs.enumerated().map { place, run in
      delivery.hiddenRuns.contains(place)
        ? String(repeating: Self.bullet, count: run.text.count) : run.text
    }
    return BrailleMessage(delivery, Self.separated(texts), isSecret: true)
  }

  /// The message without them.
  var openMessage: BrailleMessage {
    BrailleMessage(delivery, Self.separated(delivery.speech.runs.map(\.text)), isSecret: true)
  }

  /// Runs that the bus has taken apart at a hidden value, with a pause between them again.
  private static func separated(_ texts: [String]) -> String { texts.joined(separator: ", ") }
}
