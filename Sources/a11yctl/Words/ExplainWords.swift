// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yCore
import A11yPosix
import A11yWire

/// What became of an entry, as lines: the sentence first, then what it rests on.
enum ExplainWords {
  /// `clock` says a day and a time of day.
  static func lines(_ answer: JSONValue, clock: (Int64) -> String) -> [String] {
    var lines = [answer["sentence"]?.string ?? "The bus has said nothing about it."]
    lines += entry(answer, clock: clock)
    if let result = answer["result"]?.string { lines.append("Result: \(result).") }
    if let pending = answer["pending"], let state = pending["state"]?.string {
      lines.append("State: \(state).")
    }
    if let rule = answer["rule"]?.string { lines.append("Rule: \(rule).") }
    for member in answer["why"]?.members ?? [] { lines += why(member) }
    for relative in answer["related"]?.list ?? [] {
      guard let seq = relative["seq"]?.integer, let word = relative["relation"]?.string else {
        continue
      }
      lines.append("Seq \(seq): \(Relation(rawValue: word)?.words ?? word).")
    }
    return lines.map(VisibleText.of)
  }

  /// The entry that an answer is about, if it has one that can be read.
  static func entry(of answer: JSONValue) -> Entry? {
    guard let value = answer["entry"], let seq = value["seq"]?.integer else { return nil }
    let line = Array(value.description.utf8)
    let reader = JSONReader(limit: line.count)
    guard (try? reader.read(line.span)) != nil else { return nil }
    return try? Entry(seq, reader.document)
  }

  private static func entry(_ answer: JSONValue, clock: (Int64) -> String) -> [String] {
    guard let entry = entry(of: answer) else { return [] }
    let words = EntryWords.sentence(entry)
    // An announcement may be a sentence itself.
    let stop = words.last.map { ".!?…".contains($0) } == true ? "" : "."
    return ["Seq \(entry.seq), \(clock(entry.time)): \(words)\(stop)"]
  }

  /// A number that applied, as a line.
  private static func why(_ member: JSONValue.Member) -> [String] {
    let value = member.value
    let time = value.integer.flatMap { (0...1 << 40).contains($0) ? $0 * 1_000 : nil }
    switch (member.name, time) {
    case ("waited_ms", let time?): return ["It waited \(Lengths.rough(time))."]
    case ("heard_ms", let time?): return ["It was spoken for \(Lengths.rough(time))."]
    case ("window_ms", let time?): return ["The rule's time: \(Lengths.exact(time))."]
    case ("ttl_ms", let time?): return ["Time to begin: \(Lengths.exact(time))."]
    case ("rate", _): return ["The rule's rate: \(value.string ?? value.description)."]
    case ("reason", _): return ["Reason: \(value.string ?? value.description)."]
    case ("count", _): return ["Count: \(value.description)."]
    case ("estimated", _): return ["That it was spoken is an estimate."]
    case ("silent", _): return ["It had no words."]
    case ("sensitive", _): return ["Its text is secret."]
    case ("due", _): return []
    case ("focus", _): return focus(value)
    default: return CounterWords.lines(.object([member])).map { "\($0.asSentence)." }
    }
  }

  private static func focus(_ value: JSONValue) -> [String] {
    var words = "Focus: \(value["result"]?.string ?? "unknown")"
    if let reason = value["reason"]?.string { words += ", \(reason)" }
    if let seq = value["seq"]?.integer { words += ", it is at seq \(seq)" }
    return [words + "."]
  }
}

extension Relation {
  /// What an entry is to the one that was asked about.
  fileprivate var words: String {
    switch self {
    case .about: "what it says something of"
    case .deliver: "its words were given to readers"
    case .silence: "readers were told to stop it"
    case .speech: "a reader's report on it"
    case .outcome: "its outcome"
    case .focus: "where the focus went because of it"
    case .gesture: "an app was asked to do it"
    case .handled: "the app's answer"
    case .cause: "the user's action that has led to it"
    case .feedback: "what the action did"
    case .consequence: "what an app had to say of the action"
    case .duplicateOf: "what it repeats"
    case .coalescedInto: "the newer one that was passed on in its place"
    case .supersededBy: "the one that took its place"
    case .summarisedIn: "the one that stands for the summary that counts it"
    case .interruptedBy: "what cut it off"
    case .cancelledBy: "its withdrawal"
    case .endedBy: "what ended it"
    case .standsFor: "one that it stands for"
    }
  }
}

extension Ending {
  /// Reads it off an outcome as the client library has it.
  init?(_ entry: Entry) {
    guard entry.type == EventType.Own.outcome.rawValue else { return nil }
    let line = Array(entry.line.utf8)
    let reader = JSONReader(limit: line.count)
    guard (try? reader.read(line.span)) != nil else { return nil }
    self.init(reader.document, Seq(entry.seq))
  }
}
