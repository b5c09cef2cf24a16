// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPlay
import A11yPosix
import A11yRules
import A11yToml
import A11yWire

/// Plays a script on the bus in virtual time.
struct SimulateCommand: Command {
  static let name = "simulate"
  static let summary = "play a script on the bus in virtual time"
  static let usage = "[OPTION]... [SCRIPT]"
  static let notes = """
    Prints the entries that the daemon would have written, with no daemon and no waiting. Without
    SCRIPT, or where it is -, the script is read from standard input. Each of its lines is JSON:

      {"mono":0,"conn":"A","hello":{"app":"contacts"}}
      {"mono":0,"conn":"U","hello":{"app":"seat","role":"control"}}
      {"mono":5000,"conn":"U","label":"a1","event":{"type":"action","action":"activate"}}
      {"mono":9000,"conn":"A","event":{"type":"announcement","text":"Deleted","cause":"@a1"}}
      {"mono":20000,"conn":"A","gone":true}

    mono is the time in microseconds, and never goes back. role is publish, reader, control or bus;
    advice may stand beside it, as in a hello to the daemon.
    uid, dedupe and ack may stand beside event. "@a1" stands for the seq of the line with this
    label, "deliver:@a1" and "gesture:@a1" for the last deliver or gesture of it, and "focus" in
    basis for the last focus entry. "deliver:3", "gesture:3" and "focus:3" are the third ones from
    the beginning. An entry whose line has a label bears it. a11yctl log script makes a script of a
    log.
    A line that is refused is answered in its place; then the program ends with 65.

    With --heard, each line is a text with the seconds from the beginning to its first word; sounds
    are in brackets, and lines that are refused are told on standard error.
    """
  static let options = [
    RulesOption.flag,
    Flag(
      "reader",
      "READER",
      "auto: one that speaks everything, which is usual; none: the script's"
    ),
    Flag("heard", nil, "print only what is heard, a text on each line, with its time"),
  ]
  static let common = Flag.explaining

  private let path: String
  private let rules: RuleSet
  private let reader: Simulation.Reader
  private let isHeardAlone: Bool

  init(_ words: CommandWords) throws(Failure) {
    if words.operands.count > 1 {
      throw Failure(.usage, "\(words.operands[1]) is not expected here; one script is played.")
    }
    path = words.operands.first ?? "-"
    reader = try words.choice("reader", Simulation.Reader.self) ?? .auto
    rules = try RulesOption.rules(words)
    isHeardAlone = words.has("heard")
  }

  /// The bytes that are collected before they are printed.
  private static let batch = 262_144

  func run(_ output: Output) throws(Failure) {
    var script = try InputLines(path, limit: Limits.lineBytes, Progress("Played", output))
    var out = ByteBuffer(capacity: 2 * Self.batch)
    var simulation = Simulation(rules: rules, reader: reader, into: &out)
    var hearing = Hearing()
    var isGoingOn = true
    while isGoingOn {
      switch try script.nextStep() {
      case .line:
        if LineSeq.of(script.line) != nil { throw Self.logFailure(path) }
        simulation.take(script.line, into: &out)
      case .tooLong: simulation.refuseTooLong(into: &out)
      case .end:
        simulation.finish(into: &out)
        isGoingOn = false
      }
      guard out.count >= Self.batch || !isGoingOn else { continue }
      if isHeardAlone {
        listen(to: out.bytes, &hearing, output)
      } else {
        output.printBlock(out.bytes)
      }
      out.clear()
      try output.check()
    }
    for utterance in hearing.utterances { output.line(utterance.line(since: 0)) }
    try output.flush()
    guard simulation.refusals > 0 else { return }
    let count = SeqWords.count(simulation.refusals, "line was", "lines were")
    throw Failure(.refused, "\(count) refused.")
  }

  /// The mistake of a log in the place of a script.
  private static func logFailure(_ path: String) -> Failure {
    let words =
      "\(LogPlace.title(path)) has entries of a log, and is no script. A script is made by:"
    return Failure(.refused, "\(words) a11yctl log script \(path.visible)")
  }

  /// Notes what is heard by these lines, and tells of refusals.
  private func listen(to lines: Span<UInt8>, _ hearing: inout Hearing, _ output: Output) {
    var start = 0
    while let end = lines.firstIndex(of: UInt8(ascii: "\n"), from: start) {
      let line = lines.extracting(start..<end)
      start = end + 1
      hearing.heed(line)
      guard line.begins(with: "{\"mark\":\"refused\""), let mark = JSONValue(json: line.string)
      else { continue }
      let number = mark["line"]?.integer.map(String.init) ?? "?"
      let reason = mark["err"]?["msg"]?.string ?? ""
      let field = mark["err"]?["field"]?.string.map { "\($0): " } ?? ""
      output.complain("Line \(number) was refused: \(field)\(reason).")
    }
  }
}

/// The option that names files of rules.
enum RulesOption {
  static let flag = Flag("rules", "FILE", "rules over the shipped ones; may be repeated")

  /// The shipped rules and those of the files; nothing else of the machine is read.
  static func rules(_ words: CommandWords) throws(Failure) -> RuleSet {
    let loaded = LoadedRules((words.values("rules") ?? []).map(RulesFile.init))
    guard loaded.complaints.isEmpty else {
      throw Failure(
        .configuration,
        loaded.complaints.map(\.description).joined(separator: "\na11yctl: ")
      )
    }
    return loaded.rules
  }
}
