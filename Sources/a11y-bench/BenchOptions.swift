// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

// The benchmark measures the bus from outside and shares no code with it. Reading a command line
// measures nothing, so this file uses the project's own way to do it.
import A11yPosix

/// The command line of the benchmark.
struct BenchOptions {
  /// The one thing to do.
  enum Task {
    case measure
    case relay(String, Relay.Blast?)
    case help
    case version
  }

  private enum Flag: String, CommandLineFlag {
    case daemon, only, peers, rounds, quick, seconds, report, curves
    case relayOnly = "relay-only"
    case help, version
    // The benchmark's own words to itself when it starts the relay.
    case relay, blast, length

    var needsValue: Bool {
      switch self {
      case .daemon, .only, .peers, .rounds, .seconds, .report, .curves, .relay, .blast, .length:
        true
      case .quick, .relayOnly, .help, .version: false
      }
    }
  }

  var task = Task.measure
  var daemon: String?
  var figures = FigureName.usual
  /// The servers of others to measure.
  var servers = Peer.servers
  /// Nil for the usual number.
  var rounds: Int?
  var isQuick = false
  var curves: [CurveName] = []
  /// The path of the document about the run.
  var report: String?
  var measuresDaemon = true
  var fullSeconds = 30

  static let usage = """
    Usage: a11y-bench [--daemon PATH] [--only NAME[,NAME]] [--peers NAME[,NAME]]
                      [--rounds N] [--quick] [--report FILE] [--relay-only]

    Measures an a11yd that it starts itself, round by round beside other servers, a relay that does
    nothing, the bare disk or SQLite, and prints one line for each figure and a table on standard
    output; progress goes to standard error. All servers are started in directories and at sockets
    of their own; those that run on this machine are left alone. Logs are kept below $TMPDIR or
    else /var/tmp; figures of durability need a disk there.

      --daemon PATH   the a11yd to measure (default: the one beside this program)
      --only NAMES    figures to measure, with commas between them, of:
                      \(FigureName.allCases.map(\.rawValue).joined(separator: ", "));
                      or none; start10m, subscribers1k, subscribers10k, late and full-disk take
                      minutes and are measured only when named
      --peers NAMES   servers of others to measure, with commas between them, of:
                      \(Peer.servers.compactMap(\.word).joined(separator: ", ")); or none
                      (default: all that are installed)
      --rounds N      rounds of each figure, of which the median is printed (default: 5, quick: 2)
      --quick         a tenth of the events, for every day
      --report FILE   write a document about the run, as docs/benchmarks.md is
      --curves NAMES  growth curves to measure, which takes long, of:
                      \(CurveName.allCases.map(\.rawValue).joined(separator: ", ")); or all.
                      Their drawings lie in a directory beside the report
      --seconds N     how long the disk stays full in full-disk (default: 30)
      --relay-only    only the peers of the daemon: the bounds of this machine
      --help          this text
      --version       the version

    Ends 0 when everything could be measured, whether goals were met or not; 1 when an event
    was lost, a line refused or a process died; 64 when the command line is wrong.
    """

  /// Reads the words behind the program's name.
  init(_ words: [String]) throws(CommandLineOptions.Mistake) {
    var relay: String?
    var blast = Relay.Blast(entries: 0, length: 0)
    for (flag, given) in try CommandLineOptions.parse(words, as: Flag.self) {
      switch flag {
      case .daemon: daemon = given.value
      case .only: figures = try Self.figures(given.value)
      case .peers: servers = try Self.servers(given.value)
      case .rounds: rounds = try given.number(in: 1 ... .max)
      case .quick: isQuick = true
      case .seconds: fullSeconds = try given.number(in: 1 ... .max)
      case .curves: curves = try Self.curves(given.value)
      case .report: report = given.value
      case .relayOnly: measuresDaemon = false
      case .relay: relay = given.value
      case .blast: blast.entries = try given.number(in: 1 ... .max)
      case .length: blast.length = try given.number(in: 1 ... .max)
      case .help: task = .help
      case .version: task = .version
      }
    }
    if let relay, case .measure = task {
      task = .relay(relay, blast.entries > 0 ? blast : nil)
    }
  }

  private static func servers(_ list: String) throws(CommandLineOptions.Mistake) -> [Peer] {
    if list == "none" { return [] }
    var servers: [Peer] = []
    for word in list.split(separator: ",") {
      guard let server = Peer.servers.first(where: { $0.word == String(word) }) else {
        throw .init(words: "There is no peer called \(word)")
      }
      servers.append(server)
    }
    return servers
  }

  private static func curves(_ list: String) throws(CommandLineOptions.Mistake) -> [CurveName] {
    if list == "all" { return CurveName.allCases }
    return try list.split(separator: ",").map { word throws(CommandLineOptions.Mistake) in
      guard let name = CurveName(rawValue: String(word)) else {
        throw .init(words: "There is no curve called \(word)")
      }
      return name
    }
  }

  private static func figures(_ list: String) throws(CommandLineOptions.Mistake) -> [FigureName] {
    var figures: [FigureName] = []
    if list == "none" { return [] }
    for word in list.split(separator: ",") {
      guard let name = FigureName(rawValue: String(word)) else {
        throw .init(words: "There is no figure called \(word)")
      }
      figures.append(name)
    }
    if figures.isEmpty { throw .init(words: "--only lacks its names") }
    return figures
  }
}
