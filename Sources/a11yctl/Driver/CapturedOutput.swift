// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yWire

/// What is spoken and what is not, as messages of AT Driver, of the entries that the bus has made.
///
/// A delivery is told when it goes to the reader. A screen reader's own words come with a mark;
/// what an app has kept secret is withheld, though it is spoken. The end of an event that was in no
/// delivery is told with the word for it, and `a11yctl why` has the whole story.
struct CapturedOutput {
  /// The types of entries that it needs.
  static let types =
    [EventType.announcement, .layoutChanged, .screenChanged, .pageScrolled].map(\.rawValue)
    + [EventType.Own.deliver, .silence, .outcome].map(\.rawValue)

  /// The texts of events that have not ended, in the order of their seqs.
  private var texts: [(seq: Int64, text: String)] = []
  /// Deliveries whose words come with a mark, or never.
  private var hidden: [Int64] = []

  /// The most events whose texts are kept; more wait in no line of the bus.
  static let mostTexts = 1_024
  /// The most deliveries that wait for their words, which come right behind them.
  static let mostHidden = 16

  mutating func receive(_ entry: Entry) -> [JSONValue] {
    if let delivery = entry.delivery { return receive(delivery) }
    if let outcome = entry.outcome { return receive(outcome) }
    guard let text = entry.text, !text.isEmpty else { return [] }
    if texts.count == Self.mostTexts { texts.removeFirst() }
    texts.append((entry.seq, text))
    return []
  }

  private mutating func receive(_ delivery: DeliveryEntry) -> [JSONValue] {
    texts.removeAll { delivery.of.contains($0.seq) }
    guard delivery.hidden == nil else {
      if hidden.count == Self.mostHidden { hidden.removeFirst() }
      hidden.append(delivery.seq)
      return []
    }
    let text = delivery.speech.text
    return text.isEmpty ? [] : [DriverMessage.capturedOutput(text)]
  }

  private mutating func receive(_ outcome: OutcomeEntry) -> [JSONValue] {
    guard let index = texts.firstIndex(where: { $0.seq == outcome.of }) else { return [] }
    let (seq, text) = texts.remove(at: index)
    // A screen reader has said it itself, and its words come as its own.
    guard !outcome.isHeard else { return [] }
    return [DriverMessage.withheldOutput(text, reason: outcome.result, seq: seq)]
  }

  /// Takes the words of a delivery that no log has.
  mutating func receiveSecret(of seq: Int64, kind: String, _ words: SpeechText) -> [JSONValue] {
    guard let index = hidden.firstIndex(of: seq) else { return [] }
    hidden.remove(at: index)
    return kind == "reading"
      ? [DriverMessage.capturedOutput(words.text)]
      : [DriverMessage.withheldOutput("", reason: "secret", seq: seq)]
  }
}
