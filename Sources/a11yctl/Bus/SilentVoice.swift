// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yExplain
import A11yPosix
import A11yWire

/// A voice that makes no sound: it takes the time that speaking takes.
///
/// The voice receives the entries and marks for readers, each with the time, and answers with lines
/// to show and reports to send. So an app's developer sees in a terminal the words that a person
/// would hear, when they would be heard, and the bus gets the reports of a screen reader.
struct SilentVoice {
  /// A line to show, or a report to send.
  enum Act: Equatable {
    case show(String)
    case report(SpeechState, of: Int64, heard: Int64?)
  }

  private struct Utterance {
    let seq: Int64
    let line: String
    /// The words in the line; nil where they stay hidden.
    let words: String?
    let characters: Int64
    /// Whether we are the reader that speaks it and reports.
    let isOurs: Bool
  }

  /// The time of a character, in microseconds.
  private let perCharacter: Int64
  private let showsSecrets: Bool
  /// Our connection, which a delivery for us names.
  private let conn: Int64
  private var current: (utterance: Utterance, since: Int64)?
  private var waiting: [Utterance] = []
  /// A delivery whose secret words come with the next line, or never.
  private var hidden: HiddenDelivery?

  /// The most waiting deliveries; the bus gives one at a time, so there are hardly ever any.
  private static let most = 64

  init(conn: Int64, perCharacter: Int64, showsSecrets: Bool) {
    self.conn = conn
    self.perCharacter = perCharacter
    self.showsSecrets = showsSecrets
  }

  /// The moment at which `advance` has to be called, at the latest.
  var due: Int64? {
    let end = current.map { $0.since + $0.utterance.characters * perCharacter }
    return [end, hidden?.until].compactMap { $0 }.min()
  }

  // MARK: Entries and marks

  mutating func receive(_ delivery: DeliveryEntry, at now: Int64) -> [Act] {
    var acts = advance(to: now) + giveUpSecret(hidden?.delivery, at: now)
    guard delivery.hidden == nil else {
      hidden = HiddenDelivery(delivery, at: now)
      return acts
    }
    acts += enqueue(delivery, SpeechWords(delivery), at: now)
    return acts
  }

  /// Receives the secret words of the last delivery.
  mutating func receiveSecret(of seq: Int64, _ speech: SpeechText, at now: Int64) -> [Act] {
    guard let delivery = hidden.take(seq) else { return [] }
    return enqueue(delivery, SpeechWords(delivery, secret: speech, isShown: showsSecrets), at: now)
  }

  mutating func receive(_ silence: SilenceEntry, at now: Int64) -> [Act] {
    var acts = advance(to: now)
    guard let of = silence.of else { return acts }
    waiting.removeAll { $0.seq == of }
    _ = hidden.take(of)
    if current?.utterance.seq == of { acts += cut(at: now) + next(at: now) }
    return acts
  }

  /// Ends the utterances whose time is over.
  mutating func advance(to now: Int64) -> [Act] {
    var acts: [Act] = []
    while let (utterance, since) = current,
      since + utterance.characters * perCharacter <= now
    {
      current = nil
      if utterance.isOurs { acts.append(.report(.finished, of: utterance.seq, heard: nil)) }
      acts += next(at: since + utterance.characters * perCharacter)
    }
    return acts + giveUpSecret(hidden.takeLate(at: now), at: now)
  }

  /// Falls silent: the listener quits.
  mutating func stop(at now: Int64) -> [Act] {
    waiting = []
    hidden = nil
    return advance(to: now) + cut(at: now)
  }

  // MARK: Steps

  /// Tells what is known of a delivery whose secret words have not come.
  private mutating func giveUpSecret(_ delivery: DeliveryEntry?, at now: Int64) -> [Act] {
    guard let delivery else { return [] }
    hidden = nil
    return enqueue(delivery, SpeechWords(delivery), at: now)
  }

  private mutating func enqueue(
    _ delivery: DeliveryEntry,
    _ words: SpeechWords,
    at now: Int64
  ) -> [Act] {
    guard words.characters > 0 else {
      // A sound alone takes no time.
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
    let after = milliseconds < 100 ? "at once" : "after \(Lengths.rough(.microseconds(heard)))"
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

/// A delivery as a line, with sounds and manners of speaking in words.
struct SpeechWords {
  /// The line; empty where nothing would be audible.
  let line: String
  /// The words alone, unless they are secret.
  let plain: String?
  /// The number of spoken characters.
  let characters: Int64

  init(_ delivery: DeliveryEntry) { self.init(delivery, secret: nil, isShown: true) }

  /// A delivery with the secret words that only readers get.
  ///
  /// Unless they are to be shown, the line has their rough length alone, as the log does.
  init(_ delivery: DeliveryEntry, secret: SpeechText?, isShown: Bool) {
    let shown = (isShown ? secret : nil) ?? delivery.speech
    var parts: [String] = []
    if let earcon = delivery.earcon { parts.append("[\(earcon)]") }
    let words = shown.runs.map(Self.shown).joined()
    if !words.isEmpty { parts.append(words) }
    let hidden = secret != nil && isShown ? nil : delivery.hidden
    if let hidden { parts.append("(\(EntryWords.hidden(hidden)))") }
    let guess = secret == nil ? hidden.map(Self.guess) ?? 0 : 0
    if delivery.isTruncated { parts.append("(goes on)") }
    if delivery.isAgain { parts.append("(once more)") }
    if let late = delivery.late { parts.append("(\(late.components.seconds) s late)") }
    line = VisibleText.of(parts.joined(separator: " "))
    plain = hidden == nil ? VisibleText.of(shown.text) : nil
    characters = Int64((secret ?? shown).text.unicodeScalars.count) + guess
  }

  /// A run with the manner of speaking behind it.
  private static func shown(_ run: SpeechText.Run) -> String {
    var manners: [String] = []
    if run.spell == true { manners.append("spelled") }
    if run.punctuation == .all { manners.append("with punctuation") }
    if let lang = run.lang { manners.append("language \(lang)") }
    if let ipa = run.ipa { manners.append("spoken as \(ipa)") }
    if let pitch = run.pitch, pitch != 1 { manners.append("pitch \(pitch)") }
    guard !manners.isEmpty else { return run.text }
    let end = run.text.hasSuffix(" ") ? " " : ""
    let text = end.isEmpty ? run.text : String(run.text.dropLast())
    return "\(text) (\(manners.joined(separator: ", ")))\(end)"
  }

  /// The rough number of characters of a hidden text.
  private static func guess(_ lengths: String) -> Int64 {
    lengths.split(separator: "-").last.flatMap { Int64($0) } ?? 40
  }
}
