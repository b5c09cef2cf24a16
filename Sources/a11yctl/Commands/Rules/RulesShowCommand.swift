// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yWire
import A11yRules

/// Tells the treatment of events, and the rules behind it.
struct RulesShowCommand: Command {
  static let name = "rules show"
  static let summary = "tell the rules in force and their effect"
  static let usage = "[OPTION]..."
  static let notes = """
    Says in a sentence how each kind of event is treated; kinds that are treated alike share one.
    With --all it prints one setting on a line, with the rule that it comes from and where that rule
    stands. Last come the rules that ask for an app, a window, an element, a trait or a text: they
    change this for some events.
    """
  static let options = [
    Flag("type", "TYPE", "only events of this type: announcement, focus, busy, ..."),
    Flag("class", "CLASS", "only announcements of this class: message, status, progress, ..."),
    Flag("all", nil, "name each setting, and the rule that it comes from"),
    Flag("json", nil, "print the answer as JSON, on one line"),
  ]

  private let path: String
  private let isJSON: Bool
  private let namesAll: Bool
  private let topic: Topic?
  private let speechClass: String?

  init(_ words: CommandWords) throws(Failure) {
    try words.refuseOperands()
    path = try words.socket(for: .operation(.rules)).path
    isJSON = words.has("json")
    namesAll = words.has("all")
    topic = try words.choice("type", Topic.self)
    speechClass = words.value("class")
    if let speechClass { try RefusalWords.checkClass(speechClass) }
  }

  func run(_ output: Output) throws(Failure) {
    let answer = try asking { () throws(ClientError) in
      try BusConnection(path: path).request("rules")
    }
    guard !isJSON else {
      output.line(answer.description)
      return
    }
    let topic = topic?.rawValue
    let lines =
      namesAll
      ? RuleWords.lines(answer, topic: topic, speechClass: speechClass)
      : RuleSentences(answer, topic: topic, speechClass: speechClass).lines
    for line in lines { output.line(line) }
  }
}
