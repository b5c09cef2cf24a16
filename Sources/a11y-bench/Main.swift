// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire
import Glibc

/// The reason why a figure cannot be believed, as a sentence.
///
/// A benchmark that goes on after a lost event or a refused line measures something else, so there
/// is one kind of failure, which ends the run.
struct BenchFailure: Error, CustomStringConvertible {
  let description: String

  init(_ sentence: String) { description = sentence }
}

/// Does something that the kernel may refuse, and says what was to be done if it does.
func failing<Result: ~Copyable>(
  _ task: @autoclosure () -> String,
  _ body: () throws(Errno) -> Result
) throws -> Result {
  do throws(Errno) {
    return try body()
  } catch {
    throw BenchFailure("\(task()): \(error)")
  }
}

/// Prints a line of progress, on standard error.
func say(_ line: String) { StandardError.write(line + "\n") }

/// Prints a line of the result.
func report(_ line: String) { _ = StandardOutput.write(line + "\n") }

/// Exit codes of sysexits.h that this program uses.
private enum Exit {
  static let failed: Int32 = 1
  static let usage: Int32 = 64
}

@main
struct Main {
  static func main() {
    let options: BenchOptions
    do {
      options = try BenchOptions(Array(CommandLine.arguments.dropFirst()))
    } catch {
      say("a11y-bench: \(error.words). Try a11y-bench --help.")
      exit(Exit.usage)
    }
    switch options.task {
    case .help: report(BenchOptions.usage)
    case .version: report("a11y-bench \(Protocol.release)")
    case .relay(let path, let blast): relay(at: path, blast: blast)
    case .measure: measure(options)
    }
  }

  private static func relay(at path: String, blast: Relay.Blast?) {
    do {
      let relay = try Relay(at: path, blast: blast)
      // The daemon's own words, so that the same code waits for both.
      say("a11yd: ready \(path)")
      try relay.serve()
    } catch {
      say("a11y-bench: relay: \(error)")
      exit(Exit.failed)
    }
  }

  private static func measure(_ options: BenchOptions) {
    Leftovers.clearOnSignals()
    _ = Machine.raiseOpenFiles()
    let machine = MeasuredMachine()
    do {
      let directory = try Leftovers.makeDirectory()
      let benchmark = Benchmark(
        figures: options.figures,
        rounds: options.rounds ?? (options.isQuick ? 2 : 5),
        daemon: options.measuresDaemon ? options.daemon ?? Peer.neighbour("a11yd") : nil,
        peers: peers(options),
        setting: BenchSetting(
          directory: directory,
          divisor: options.isQuick ? 10 : 1,
          fullSeconds: options.fullSeconds
        )
      )
      try benchmark.setting.writeLines()
      var results = Benchmark.Results()
      // Printed after a failure too: earlier figures are still true.
      defer { printResults(results, of: benchmark) }
      try benchmark.measureAll(into: &results)
      let curves = options.curves.map {
        $0.measure(benchmark.daemon, benchmark.peers, in: benchmark.setting)
      }
      for curve in curves {
        report("\(curve.curve.title):")
        for sentence in curve.sentences { report(sentence) }
      }
      if let path = options.report {
        let document = try document(results, curves, of: benchmark, machine)
        try document.replaceFiles(at: path)
      }
      Leftovers.clear()
    } catch {
      Leftovers.clear()
      say("a11y-bench: \(error)")
      if let words = StartedProgram.newestWords { say(words) }
      exit(Exit.failed)
    }
  }

  private static func printResults(_ results: Benchmark.Results, of benchmark: Benchmark) {
    let divisor = benchmark.setting.divisor
    if divisor > 1, !results.rows.isEmpty {
      report("Quick run with sizes divided by \(divisor); goals are for the full ones.")
    }
    for result in results.rows { report(result.sentence) }
    for remark in results.remarks { report(remark) }
    for line in ResultTable.markdown(results.rows) { report(line) }
  }

  private static func document(
    _ results: Benchmark.Results,
    _ curves: [GrowthCurve],
    of benchmark: Benchmark,
    _ machine: MeasuredMachine
  ) throws -> Report {
    let directory = benchmark.setting.directory
    var versions: [(Peer, String?)] = []
    for peer in Peer.allCases where benchmark.peers.contains(peer) {
      versions.append((peer, try version(of: peer, in: directory)))
    }
    let daemon = try benchmark.daemon.map { try version(of: $0, in: directory) }
    return Report(
      machine: machine,
      command: (["a11y-bench"] + CommandLine.arguments.dropFirst()).joined(separator: " "),
      rounds: benchmark.rounds,
      divisor: benchmark.setting.divisor,
      daemon: daemon,
      peers: versions,
      results: results,
      curves: curves
    )
  }

  /// The peers that can be measured here; those that cannot are named.
  private static func peers(_ options: BenchOptions) -> Set<Peer> {
    var peers: Set<Peer> = []
    for peer in Peer.allCases where peer.word == nil || options.servers.contains(peer) {
      if let obstacle = peer.obstacle {
        report("\(peer.rawValue): not measured, \(obstacle)")
      } else {
        peers.insert(peer)
      }
    }
    return peers
  }
}

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
  var figures = Figure.all.filter { !$0.isLong }
  /// The servers of others to measure.
  var servers = Peer.servers
  /// Nil for the usual number.
  var rounds: Int?
  var isQuick = false
  var curves: [Curve] = []
  /// The path of the document about the run.
  var report: String?
  var measuresDaemon = true
  var fullSeconds = 30

  private static var longOnes: String {
    let words = Figure.all.filter(\.isLong).map(\.word)
    return words.dropLast().joined(separator: ", ") + " and " + (words.last ?? "")
  }

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
                      \(Figure.all.map(\.word).joined(separator: ", "));
                      or none; \(longOnes) take
                      minutes and are measured only when named
      --peers NAMES   servers of others to measure, with commas between them, of:
                      \(Peer.servers.compactMap(\.word).joined(separator: ", ")); or none
                      (default: all that are installed)
      --rounds N      rounds of each figure, of which the median is printed (default: 5, quick: 2)
      --quick         a tenth of the events, for every day
      --report FILE   write a document about the run, as docs/benchmarks.md is
      --curves NAMES  growth curves to measure, which takes long, of:
                      \(Curve.all.map(\.word).joined(separator: ", ")); or all.
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
      case .only:
        figures = try Self.named(given.value, "figure", of: Figure.all) { $0.word }
        if figures.isEmpty, given.value != "none" { throw .init(words: "--only lacks its names") }
      case .peers: servers = try Self.named(given.value, "peer", of: Peer.servers) { $0.word }
      case .rounds: rounds = try given.number(in: 1 ... .max)
      case .quick: isQuick = true
      case .seconds: fullSeconds = try given.number(in: 1 ... .max)
      case .curves:
        curves =
          given.value == "all"
          ? Curve.all : try Self.named(given.value, "curve", of: Curve.all) { $0.word }
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

  /// The things that a list with commas names, of all that there are.
  private static func named<Thing>(
    _ list: String,
    _ noun: String,
    of things: [Thing],
    by word: (Thing) -> String?
  ) throws(CommandLineOptions.Mistake) -> [Thing] {
    if list == "none" { return [] }
    var named: [Thing] = []
    for name in list.split(separator: ",") {
      guard let thing = things.first(where: { word($0) == String(name) }) else {
        throw .init(words: "There is no \(noun) called \(name)")
      }
      named.append(thing)
    }
    return named
  }
}
