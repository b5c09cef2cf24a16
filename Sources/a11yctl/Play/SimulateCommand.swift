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

  @Operands private var words: [String]
  private let rules = RulesOption()
  @Option(
    "reader",
    "READER",
    "auto: one that speaks everything, which is usual; none: the script's",
    as: .word
  )
  private var reader: Simulation.Reader?
  @Flag("heard", "print only what is heard, a text on each line, with its time")
  private var isHeardAlone: Bool

  /// The bytes that are collected before they are printed.
  private static let batch = 262_144

  func run(_ output: Output) throws(Failure) {
    try words.refuse(behind: 1, "; one script is played")
    let path = words.first ?? "-"
    let rules = try rules.ruleSet()
    var script = try InputLines(path, limit: Limits.lineBytes, Progress("Played", output))
    var out = ByteBuffer(capacity: 2 * Self.batch)
    var simulation = Simulation(rules: rules, reader: reader ?? .auto, into: &out)
    var hearing = Hearing()
    var isGoingOn = true
    while isGoingOn {
      switch try script.nextStep() {
      case .line:
        if Seq(of: script.line) != nil { throw Self.logFailure(path) }
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
    output.lines(hearing.utterances.map { $0.line(since: 0) })
    try output.flush()
    guard simulation.refusals > 0 else { return }
    let count = simulation.refusals.counted("line", "was")
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
struct RulesOption: OptionGroup {
  @Repeated("rules", "FILE", "rules over the shipped ones; may be repeated")
  var files: [String]?

  /// The shipped rules and those of the files; nothing else of the machine is read.
  func ruleSet() throws(Failure) -> RuleSet {
    let loaded = LoadedRules((files ?? []).map(RulesFile.init))
    guard loaded.complaints.isEmpty else { throw Failure(loaded.complaints) }
    return loaded.rules
  }
}

extension Failure {
  /// The failure of files with mistakes, a line for each.
  init(_ complaints: [Complaint]) {
    code = .configuration
    words = complaints.map { VisibleText.of($0.description) }.joined(separator: "\na11yctl: ")
  }
}
