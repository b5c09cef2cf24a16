// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yExplain
import A11yWire

/// The texts that were with a reader, the newest at the end.
///
/// A text that was offered once more, or repeated, stands once, where it was first. So the numbers
/// by which the user asks for one again stay as they are.
struct SpokenHistory {
  /// A text that was with a reader.
  struct Utterance: Equatable {
    /// The events that it speaks for.
    let of: [Int64]
    /// The last delivery of it.
    var delivery: Int64
    /// The time of its first delivery.
    let time: Int64
    let text: String
    /// Whether the text is hidden, so that the bus cannot speak it again.
    var isSecret = false
    /// The app; nil until its event is known.
    var app: String?
    /// The end in few words; nil where it has none yet.
    var end: String?
  }

  static let types = [EventType.Own.deliver, .outcome].map(\.rawValue)

  /// The utterances to keep.
  private let count: Int
  private(set) var utterances: [Utterance] = []

  /// The time before which nothing is wanted, in microseconds since 1970.
  private let since: Int64?
  private var reachesBack = false

  init(count: Int, since: Int64? = nil) {
    self.count = count
    self.since = since
  }

  /// Whether earlier entries would change nothing.
  var isFull: Bool { utterances.count >= count || reachesBack }

  mutating func note(_ entry: Entry) {
    if let since, entry.time < since {
      reachesBack = true
      return
    }
    if let outcome = entry.outcome {
      guard let place = utterances.lastIndex(where: { $0.of.contains(outcome.of) }) else { return }
      utterances[place].end = BusWords.brief(entry)
    } else if let delivery = entry.delivery, delivery.to != nil {
      note(delivery, at: entry.time)
    }
  }

  private mutating func note(_ delivery: DeliveryEntry, at time: Int64) {
    let words = [delivery.speech.text, delivery.hidden.map(EntryWords.hidden) ?? ""]
    let text = words.filter { !$0.isEmpty }.joined(separator: ", ")
    guard !text.isEmpty else { return }
    if delivery.isAgain, let place = utterances.lastIndex(where: { $0.of == delivery.of }) {
      utterances[place].delivery = delivery.seq
      return
    }
    if utterances.count >= count { utterances.removeFirst() }
    utterances.append(
      Utterance(
        of: delivery.of,
        delivery: delivery.seq,
        time: time,
        text: text,
        isSecret: delivery.hidden != nil
      )
    )
  }

  /// Notes the app of each utterance, as its event tells it.
  mutating func nameApps(_ app: (_ seq: Int64) -> String?) {
    for place in utterances.indices {
      utterances[place].app = utterances[place].of.first.flatMap(app)
    }
  }

  /// A line for each utterance, with its number for `again` in front.
  func sentences(now: Int64) -> [String] {
    utterances.enumerated().map { index, utterance in
      let app = utterance.app.map { "Of \($0), " } ?? ""
      let age = AgeWords.age(of: utterance.time, now: now)
      let end = utterance.end.map { "it \($0)." } ?? "it is being spoken, or waits to go on."
      let when = app.isEmpty ? age.asSentence : age
      return "\(utterances.count - index): \(Self.ended(utterance.text)) \(app)\(when); \(end)"
        .visible
    }
  }

  /// The text with an end, so that the words behind it are not heard as a part of it.
  static func ended(_ text: String) -> String {
    guard let last = text.last, ".!?…".contains(last) else { return text + "." }
    return text
  }
}
