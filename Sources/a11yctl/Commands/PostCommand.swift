// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yWire

/// Publishes one event from the command line, or many from standard input.
struct PostCommand: Command {
  static let name = "post"
  static let summary = "publish events, from options or from standard input"
  static let usage = "--type TYPE [OPTION]...   or   a11yctl post [OPTION]... < EVENTS"
  static let notes = """
    Publishes an event and prints its seq. Without --type it reads events from standard input, each
    a JSON object on a line of its own; a refused one is told with its line, and the others go on.
    """
  static let options =
    [
      Flag("type", "TYPE", "what kind of event it is, as in announcement or layout-changed"),
      Flag("text", "TEXT", "what is to be spoken"),
      Flag("priority", "PRIORITY", "low, default or high"),
      Flag("window", "ID", "the window that it is about"),
      Flag("element", "ID", "the element that it is about"),
      Flag("key", "KEY", "of several that wait with one key the newest counts"),
      Flag("class", "CLASS", "what kind of news an announcement is"),
      Flag("mode", "MODE", "all, latest, latest-interrupt or current-then-latest"),
      Flag("cause", "CAUSE", "auto, user, or the seq of an action"),
      Flag("basis", "SEQ", "the focus entry that was seen last"),
      Flag("ttl", "MS", "worth nothing if not begun within so many milliseconds"),
      Flag("sensitive", nil, "keep the text out of the log"),
      Flag("field", "NAME=JSON", "any other field; may be repeated"),
    ] + Publishing.options

  private enum Source {
    case event(Event, type: String)
    case standardInput
  }

  private let source: Source
  private let publishing: Publishing

  init(_ words: CommandWords) throws(Failure) {
    // The type decides about the socket; for an unknown type the socket of apps will do.
    let named = words.value("type").flatMap { EventType(rawValue: $0) }
    publishing = try Publishing(words, named ?? .announcement)
    guard let type = words.value("type") else {
      try Self.checkInput(words)
      source = .standardInput
      return
    }
    try words.refuseOperands()
    try RefusalWords.checkType(type, among: RefusalWords.published)
    source = .event(try Self.event(type, words), type: type)
  }

  func run(_ output: Output) throws(Failure) {
    switch source {
    case .event(let event, let type): try publishing.publish(event, type: type, output)
    case .standardInput:
      var posting = Posting(publishing, output, input: FileDescriptor(adopting: 0))
      try posting.postAll()
    }
  }

  // MARK: The command line

  private static let texts = ["text", "priority", "class", "mode", "window", "element", "key"]
  private static let numbers = [("basis", "basis"), ("ttl", "ttl_ms")]

  static func event(_ type: String, _ words: CommandWords) throws(Failure) -> Event {
    var event = Event(type: type)
    for name in texts {
      if let text = words.value(name) { event = event.with(name, .string(text)) }
    }
    if let cause = words.value("cause") {
      event = event.with("cause", Int64(cause).map { .integer($0) } ?? .string(cause))
    }
    for (option, field) in numbers {
      if let number = try words.integer(option) { event = event.with(field, .integer(number)) }
    }
    if words.has("sensitive") { event = event.sensitive() }
    for field in words.values("field") ?? [] { event = try addField(field, to: event) }
    return event
  }

  private static func addField(_ field: String, to event: Event) throws(Failure) -> Event {
    let parts = field.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, let value = JSONValue(json: String(parts[1])) else {
      throw Failure(
        .usage,
        "--field expects a name and its value as JSON, as in modal=true or reader='\"Orca\"';"
          + " got \(field)"
      )
    }
    return event.with(String(parts[0]), value)
  }

  private static func checkInput(_ words: CommandWords) throws(Failure) {
    if let word = words.operands.first(where: { $0 != "-" }) {
      throw Failure(.usage, "\(word) is not expected here; events are read from standard input.")
    }
    let needsType = Self.options.dropLast(Publishing.options.count).map(\.name) + ["dedupe"]
    if let option = needsType.first(where: words.has) {
      throw Failure(
        .usage,
        "--\(option) needs --type; without it events are read from standard input."
      )
    }
  }
}
