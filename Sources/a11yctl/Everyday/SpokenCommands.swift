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
  static let usage = "[OPTION]..."
  static let notes = """
    Silences what is being spoken, urgent announcements too, and drops what waits. Urgent
    announcements that have not begun stay. Nothing is printed, since silence is asked for.
    """
  static let options: [Flag] = []

  private let path: String

  init(_ words: CommandWords) throws(Failure) {
    try words.refuseOperands()
    path = try words.socket(for: .publishing(.action)).path
  }

  func run(_ output: Output) throws(Failure) {
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
  static let options: [Flag] = []

  /// The deliveries that the bus keeps.
  private static let kept = 32

  private let path: String
  /// The place from the end; nil for the last text that is no focus.
  private let number: Int?

  init(_ words: CommandWords) throws(Failure) {
    guard words.operands.count <= 1 else {
      throw Failure(.usage, "One number is expected. Try: a11yctl again 2")
    }
    number = try words.operands.first.map { word throws(Failure) in
      guard let number = Int(word), 1...Self.kept ~= number else {
        throw Failure(.usage, "again expects a number from 1 to \(Self.kept); got \(word).")
      }
      return number
    }
    path = try words.socket(for: .acting).path
  }

  func run(_ output: Output) throws(Failure) {
    let delivery = try number.map { number throws(Failure) in try self.delivery(number) }
    _ = try asking(about: EventType.action.rawValue) { () throws(ClientError) in
      try BusConnection(path: path).publish(.action("repeat", of: delivery))
    }
  }

  /// The seq of the Nth text from the end.
  private func delivery(_ number: Int) throws(Failure) -> Int64 {
    let history = try RecentEntries(path: path).sum(
      of: SpokenHistory.types,
      into: SpokenHistory(count: number),
      isEnough: \.isFull
    ) { $0.note($1) }
    guard history.isFull, let utterance = history.utterances.first else {
      let spoken = SeqWords.count(Int64(history.utterances.count), "text was", "texts were")
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
    \(RecentPlace.notes)
    """
  static let options =
    Beginning.flags(usually: "the oldest of N")
    + [Flag("json", nil, "print one JSON object for each text")] + RecentPlace.options

  /// More than anybody reads at once.
  private static let most = 1_000

  private let place: RecentPlace
  private let explaining: Explanations.Place
  private let count: Int
  private let isJSON: Bool
  private let beginning: Beginning

  init(_ words: CommandWords) throws(Failure) {
    guard words.operands.count <= 1 else {
      throw Failure(.usage, "One number is expected. Try: a11yctl history 20")
    }
    beginning = try Beginning(words, now: SystemClock.wallMicroseconds())
    count =
      try words.operands.first.map { word throws(Failure) in
        guard let count = Int(word), 1...Self.most ~= count else {
          throw Failure(.usage, "history expects a number from 1 to \(Self.most); got \(word).")
        }
        return count
      } ?? (beginning.isStated ? Self.most : 10)
    place = try RecentPlace(words)
    explaining = try Explanations.Place(words, behind: 1)
    isJSON = words.has("json")
  }

  func run(_ output: Output) throws(Failure) {
    let (entries, _) = try place.entries(output)
    let since = try beginning.time(entries.time)
    var history = try entries.sum(
      of: SpokenHistory.types,
      into: SpokenHistory(count: count, since: since),
      isEnough: \.isFull
    ) { $0.note($1) }
    let source = try explaining.source(Output(to: { _ in .written }, complaining: { _ in }))
    history.nameApps { seq in
      let entry = (try? source.explain(Seq(seq)))?["entry"]
      return entry?["event"]?["app"]?.string ?? entry?["app"]?.string
    }
    guard !isJSON else {
      for utterance in history.utterances { output.line(utterance.json.description) }
      return
    }
    guard !history.utterances.isEmpty else {
      output.line(since == nil ? "Nothing was spoken yet." : "Nothing was spoken since then.")
      return
    }
    for line in history.sentences(now: SystemClock.wallMicroseconds()) { output.line(line) }
  }
}

extension SpokenHistory.Utterance {
  fileprivate var json: JSONValue {
    .object([
      .init("delivery", .integer(delivery)), .init("of", .list(of.map(JSONValue.integer))),
      .init("time", .integer(time)), .init("app", app.map(JSONValue.string) ?? .null),
      .init("text", .string(text)), .init("end", end.map(JSONValue.string) ?? .null),
    ])
  }
}

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
