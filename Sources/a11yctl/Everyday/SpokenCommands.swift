// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yExplain
import A11yPosix
import A11yWire

/// Silences what is being spoken, and drops what waits.
struct StopCommand: Command {
  static let name = "stop"
  static let summary = "stop speech, and drop what waits to be spoken"
  static let notes = """
    Silences what is being spoken, urgent announcements too, and drops what waits. Urgent
    announcements that have not begun stay. Nothing is printed, since silence is asked for.
    """

  private let bus = BusSocket()

  func run(_ output: Output) throws(Failure) {
    let path = try bus(for: .publishing(.action))
    _ = try asking(about: EventType.action.rawValue) { () throws(ClientError) in
      try BusConnection(path: path).publish(.action("stop"))
    }
  }
}

/// Has something said once more that was spoken before.
struct AgainCommand: Command {
  static let name = "again"
  static let summary = "have the last text spoken again, or an earlier one"
  static let usage = "[OPTION]... [N]"
  static let notes = """
    Without N, the last announcement, screen or page is spoken again; where there was none, the
    focus is told again. With N, the Nth text from the end of a11yctl history, where 1 is the last.
    The bus keeps the last \(kept) texts for this, and no secret ones.
    """

  /// The deliveries that the bus keeps.
  private static let kept = 32

  @Operands private var words: [String]
  private let bus = BusSocket()

  func run(_ output: Output) throws(Failure) {
    // Without a number it is the last text that is no focus.
    let number = try words.number(upTo: Self.kept, of: Self.name, example: "2")
    let path = try bus(for: .acting)
    let delivery = try number.map { number throws(Failure) in try seq(ofText: number, at: path) }
    _ = try asking(about: EventType.action.rawValue) { () throws(ClientError) in
      try BusConnection(path: path).publish(.action("repeat", of: delivery))
    }
  }

  /// The seq of the Nth text from the end.
  private func seq(ofText number: Int, at path: String) throws(Failure) -> Int64 {
    let history = try BusEntries(path).fold(SpokenHistory(count: number))
    guard history.isEnough, let utterance = history.utterances.first else {
      let spoken = history.utterances.count.counted("text", "was")
      throw Failure(.refused, "There is no text \(number): \(spoken) spoken.")
    }
    guard !utterance.isSecret else {
      throw Failure(
        .refused,
        "Text \(number) is secret; the bus does not keep it to speak it again."
      )
    }
    return utterance.delivery
  }
}

/// Tells the last texts that were spoken.
struct HistoryCommand: Command {
  static let name = "history"
  static let summary = "tell the last texts that were spoken, and how each ended"
  static let usage = "[OPTION]... [N]"
  static let notes = """
    Tells the last N texts that were given to a screen reader, 10 if N is not given, and with --from
    or --since all of that time, at most \(most). The newest stands at the end. Each has the number
    by which a11yctl again speaks it again, the text, the app, how long ago it was, and its end.
    A text that was repeated stands once. Secret texts stay hidden.
    \(Beginning.notes)
    \(ReadingOptions.busNotes)
    """

  /// More than anybody reads at once.
  private static let most = 1_000

  @Operands private var words: [String]
  @Flag("json", "print one JSON object for each text") private var isJSON: Bool
  private let reading = ReadingOptions(
    usually: "the oldest of N",
    orOf: BusSocket(),
    takesWord: false
  )

  func run(_ output: Output) throws(Failure) {
    let beginning = reading.beginning
    let wanted = try reading.rest(of: words).number(upTo: Self.most, of: Self.name, example: "20")
    let source = try reading.source(for: .state, words, behind: 1, output)
    let since = try beginning.time(source.time)
    let count = wanted ?? (beginning.isStated ? Self.most : 10)
    var history = try source.fold(SpokenHistory(count: count, since: since))
    history.nameApps { seq in
      let entry = (try? source.explain(Seq(seq)))?["entry"]
      let app = entry?["event"]?["app"]?.string ?? entry?["app"]?.string
      return app.map { ($0, entry?["event"]?["class"]?.string == "reading") }
    }
    if isJSON { return output.lines(history.utterances.map(\.json.description)) }
    guard history.utterances.isEmpty else {
      return output.lines(history.sentences(now: SystemClock.wallMicroseconds()))
    }
    output.line(since == nil ? "Nothing was spoken yet." : "Nothing was spoken since then.")
  }
}

extension [String] {
  /// The one number among the operands of a command.
  fileprivate func number(
    upTo most: Int,
    of command: String,
    example: String
  ) throws(Failure) -> Int? {
    guard let word = first else { return nil }
    guard count == 1 else {
      throw Failure(.usage, "One number is expected. Try: a11yctl \(command) \(example)")
    }
    guard let number = Int(word), 1...most ~= number else {
      throw Failure(.usage, "\(command) expects a number from 1 to \(most); got \(word).")
    }
    return number
  }
}

/// The texts that were with a reader, the newest at the end.
///
/// A text that was offered once more, or repeated, stands once, where it was first. So the numbers
/// by which the user asks for one again stay as they are.
struct SpokenHistory: EntryFold {
  /// A text that was with a reader.
  struct Utterance: Equatable {
    /// The events that it speaks for.
    let of: [Int64]
    /// The last delivery of it.
    var delivery: Int64
    /// The time of its first delivery.
    let time: Int64
    var text: String
    /// The length of a hidden text.
    var length: String?
    /// Whether the text is hidden, so that the bus cannot speak it again.
    var isSecret = false
    /// The app; nil until its event is known.
    var app: String?
    /// The end in few words; nil where it has none yet.
    var end: String?

    var json: JSONValue {
      [
        "delivery": .integer(delivery), "of": .list(of.map(JSONValue.integer)),
        "time": .integer(time), "app": app.map(JSONValue.string) ?? .null, "text": .string(text),
        "end": end.map(JSONValue.string) ?? .null,
      ]
    }
  }

  let types: [String]? = [EventType.Own.deliver, .outcome].map(\.rawValue)

  /// The utterances to keep.
  private let count: Int
  private(set) var utterances: [Utterance] = []

  let since: Int64?
  private var reachesBack = false

  init(count: Int, since: Int64? = nil) {
    self.count = count
    self.since = since
  }

  var isEnough: Bool { utterances.count >= count || reachesBack }

  mutating func take(_ entry: Entry) {
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
    let isSecret = delivery.hidden != nil
    utterances.append(
      Utterance(
        of: delivery.of,
        delivery: delivery.seq,
        time: time,
        text: text,
        length: delivery.hidden,
        isSecret: isSecret
      )
    )
  }

  /// Notes the app of each utterance, as its event tells it; of the hidden words of a screen reader
  /// its name is all that can be said.
  mutating func nameApps(_ event: (_ seq: Int64) -> (app: String, isReading: Bool)?) {
    for place in utterances.indices {
      guard let found = utterances[place].of.first.flatMap(event) else { continue }
      utterances[place].app = found.app
      guard found.isReading, let length = utterances[place].length else { continue }
      utterances[place].text = "\(found.app.asSentence) read \(EntryWords.characters(length))"
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
