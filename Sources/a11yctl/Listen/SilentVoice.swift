// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yBroker

/// A voice that makes no sound: it takes the time that speaking takes.
///
/// It is given what readers are given, one thing after the other, and the time; it says what is to
/// be shown and what is to be reported. So an app's developer sees in a terminal what a person would
/// hear, and when, and the bus is told what a screen reader would tell it.
struct SilentVoice {
  /// What is to be done.
  enum Act: Equatable {
    case show(String)
    case report(SpeechState, of: Int64, heard: Int64?)
  }

  private struct Utterance {
    let seq: Int64
    let line: String
    /// What the line shows of the words themselves; nil where they stay hidden.
    let words: String?
    let characters: Int64
    /// Whether it is ours to report on.
    let isOurs: Bool
  }

  /// In microseconds.
  private let perCharacter: Int64
  private let showsSecrets: Bool
  /// Our connection, by which the bus says whose the speech is.
  private let conn: Int64
  private var current: (utterance: Utterance, since: Int64)?
  private var waiting: [Utterance] = []
  /// Its words come with the next line, or do not come.
  private var hidden: (delivery: DeliveryEntry, until: Int64)?

  /// The words come in the same breath; the bus gives them at once or never.
  private static let breath: Int64 = 50_000
  /// Deliveries that wait; the bus gives one at a time, so that there are hardly ever any.
  private static let most = 64

  init(conn: Int64, perCharacter: Int64, showsSecrets: Bool) {
    self.conn = conn
    self.perCharacter = perCharacter
    self.showsSecrets = showsSecrets
  }

  /// When it has to be called again, at the latest.
  var due: Int64? {
    let end = current.map { $0.since + $0.utterance.characters * perCharacter }
    return [end, hidden?.until].compactMap { $0 }.min()
  }

  // MARK: What happens

  mutating func take(_ delivery: DeliveryEntry, at now: Int64) -> [Act] {
    var acts = advance(to: now) + giveUpSecret(at: now)
    guard delivery.hidden == nil else {
      hidden = (delivery, now + Self.breath)
      return acts
    }
    acts += take(delivery, SpeechWords(delivery), at: now)
    return acts
  }

  /// The words of a delivery that does not show them itself.
  mutating func takeSecret(of seq: Int64, _ speech: SpeechText, at now: Int64) -> [Act] {
    guard let delivery = hidden?.delivery, delivery.seq == seq else { return [] }
    hidden = nil
    return take(delivery, SpeechWords(delivery, secret: speech, isShown: showsSecrets), at: now)
  }

  mutating func take(_ silence: SilenceEntry, at now: Int64) -> [Act] {
    var acts = advance(to: now)
    guard let of = silence.of else { return acts }
    waiting.removeAll { $0.seq == of }
    if hidden?.delivery.seq == of { hidden = nil }
    if current?.utterance.seq == of { acts += cut(at: now) + next(at: now) }
    return acts
  }

  /// Lets happen what happens by itself.
  mutating func advance(to now: Int64) -> [Act] {
    var acts: [Act] = []
    while let (utterance, since) = current,
      since + utterance.characters * perCharacter <= now
    {
      current = nil
      if utterance.isOurs { acts.append(.report(.finished, of: utterance.seq, heard: nil)) }
      acts += next(at: since + utterance.characters * perCharacter)
    }
    if let until = hidden?.until, until <= now { acts += giveUpSecret(at: now) }
    return acts
  }

  /// The listener has enough.
  mutating func end(at now: Int64) -> [Act] {
    waiting = []
    hidden = nil
    return advance(to: now) + cut(at: now)
  }

  // MARK: Steps

  private mutating func giveUpSecret(at now: Int64) -> [Act] {
    guard let delivery = hidden?.delivery else { return [] }
    hidden = nil
    return take(delivery, SpeechWords(delivery), at: now)
  }

  private mutating func take(
    _ delivery: DeliveryEntry,
    _ words: SpeechWords,
    at now: Int64
  ) -> [Act] {
    guard words.characters > 0 else {
      // A sound takes nobody's turn.
      return words.line.isEmpty ? [] : [.show(words.line)]
    }
    let utterance = Utterance(
      seq: delivery.seq,
      line: words.line,
      words: words.plain,
      characters: words.characters,
      isOurs: delivery.to == conn
    )
    var acts: [Act] = []
    if current != nil, delivery.interrupts == current?.utterance.seq { acts += cut(at: now) }
    if waiting.count < Self.most { waiting.append(utterance) }
    return acts + next(at: now)
  }

  private mutating func next(at now: Int64) -> [Act] {
    guard current == nil, !waiting.isEmpty else { return [] }
    let utterance = waiting.removeFirst()
    current = (utterance, now)
    let show = Act.show(utterance.line)
    return utterance.isOurs
      ? [.report(.started, of: utterance.seq, heard: nil), show] : [show]
  }

  private mutating func cut(at now: Int64) -> [Act] {
    guard let (utterance, since) = current else { return [] }
    current = nil
    let heard = max(0, now - since)
    let milliseconds = heard / 1_000
    let after = milliseconds < 100 ? "at once" : "after \(Lengths.rough(heard))"
    var words = "(interrupted \(after)"
    if let text = utterance.words, perCharacter > 0 {
      let spoken = text.unicodeScalars.prefix(Int(heard / perCharacter))
      words += spoken.isEmpty ? "" : ", at: \(String(String.UnicodeScalarView(spoken)))…"
    }
    var acts = [Act.show(words + ")")]
    if utterance.isOurs {
      acts.insert(.report(.interrupted, of: utterance.seq, heard: milliseconds), at: 0)
    }
    return acts
  }
}
