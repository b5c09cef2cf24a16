// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// What the command line asks for.
struct Options {
  /// What to do, of which only one thing can be.
  enum Task {
    case measure
    case relay(String, Relay.Blast?)
    case help
    case version
    case refuse
  }

  var task = Task.measure
  var daemon: String?
  var figures = FigureName.usual
  var rounds = 5
  var isQuick = false
  var measuresDaemon = true
  var fullSeconds = 30
  private var relayPath: String?
  private var blast = Relay.Blast(entries: 0, length: 0)

  static let usage = """
    Usage: a11y-bench [--daemon PATH] [--only NAME[,NAME]] [--rounds N] [--quick] [--relay-only]

    Measures an a11yd that it starts itself, round by round beside a relay that does nothing, the
    bare disk or SQLite, and prints one line for each figure on standard output; progress goes to
    standard error. Logs are kept below $TMPDIR or else /var/tmp; figures of durability need a disk
    there.

      --daemon PATH   the a11yd to measure (default: the one beside this program)
      --only NAMES    figures to measure, with commas between them, of:
                      \(FigureName.allCases.map(\.rawValue).joined(separator: ", "));
                      start10m and full-disk take minutes and are measured only when named
      --rounds N      rounds of each figure, of which the median is printed (default: 5)
      --quick         a tenth of the events, for a first look
      --seconds N     how long the disk stays full in full-disk (default: 30)
      --relay-only    only what stands beside the daemon: what this machine allows
      --help          this text
      --version       the version

    Ends 0 when everything could be measured, whether targets were met or not; 1 when an event
    was lost, a line refused or a process died; 64 when the command line is wrong.
    """

  /// Reads the arguments; a wrong one has been named on standard error.
  init(_ arguments: [String]) {
    var rest = arguments[...]
    while let reading = Flag.next(from: &rest) {
      switch reading {
      case .option(let flag, let value): set(flag, to: value)
      case .wrong(let reason): refuse(reason)
      }
    }
    if let relayPath, case .measure = task {
      task = .relay(relayPath, blast.entries > 0 ? blast : nil)
    }
  }

  private mutating func set(_ flag: Flag, to value: String) {
    switch flag {
    case .daemon: daemon = value
    case .only: choose(value)
    case .rounds: rounds = positive(value, for: "--rounds") ?? rounds
    case .quick: isQuick = true
    case .seconds: fullSeconds = positive(value, for: "--seconds") ?? fullSeconds
    case .relayOnly: measuresDaemon = false
    case .relay: relayPath = value
    case .blast: blast.entries = positive(value, for: "--blast") ?? 0
    case .length: blast.length = positive(value, for: "--length") ?? 0
    case .help: task = .help
    case .version: task = .version
    }
  }

  private mutating func choose(_ list: String) {
    figures = []
    for word in list.split(separator: ",") {
      guard let name = FigureName(rawValue: String(word)) else {
        return refuse("there is no figure called \(word)")
      }
      figures.append(name)
    }
    if figures.isEmpty { refuse("--only needs a name") }
  }

  private mutating func positive(_ text: String, for option: String) -> Int? {
    guard let number = Int(text), number > 0 else {
      refuse("\(option) needs a positive number, not \"\(text)\"")
      return nil
    }
    return number
  }

  private mutating func refuse(_ reason: String) {
    say("a11y-bench: \(reason); see a11y-bench --help")
    task = .refuse
  }
}
