// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yWire

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
