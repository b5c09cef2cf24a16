// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Glibc

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
    case .version: report("a11y-bench 0.1.0")
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
      say("a11y-bench: relay: \(error.sentence)")
      exit(Exit.failed)
    }
  }

  private static func measure(_ options: BenchOptions) {
    Leftovers.clearOnSignals()
    raiseLimit()
    let machine = MeasuredMachine()
    do throws(BenchFailure) {
      let directory = try Leftovers.makeDirectory()
      let benchmark = Benchmark(
        figures: options.figures,
        rounds: options.rounds ?? (options.isQuick ? 2 : 5),
        daemon: try daemon(options),
        peers: try peers(options),
        setting: BenchSetting(
          directory: directory,
          divisor: options.isQuick ? 10 : 1,
          fullSeconds: options.fullSeconds,
          lines: try PublishedLines(in: directory)
        )
      )
      var results = Benchmark.Results()
      // Printed after a failure too: earlier figures are still true.
      defer { printResults(results, of: benchmark) }
      try benchmark.measureAll(into: &results)
      let growth = Growth(
        daemon: benchmark.daemon,
        peers: benchmark.peers,
        setting: benchmark.setting
      )
      let curves = options.curves.map(growth.curve)
      for curve in curves {
        report("\(curve.name.title):")
        for sentence in curve.sentences { report(sentence) }
      }
      if let path = options.report {
        let document = try document(results, curves, of: benchmark, machine)
        try document.replaceFiles(at: path)
      }
      Leftovers.clear()
    } catch {
      Leftovers.clear()
      say("a11y-bench: \(error.sentence)")
      if let words = ChildOutput.newestWords { say(words) }
      exit(Exit.failed)
    }
  }

  /// Lets this program and its servers open as many sockets as the system allows.
  private static func raiseLimit() {
    var limit = rlimit()
    guard getrlimit(.init(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(.init(RLIMIT_NOFILE.rawValue), &limit)
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
  ) throws(BenchFailure) -> Report {
    let directory = benchmark.setting.directory
    var versions: [(Peer, String?)] = []
    for peer in Peer.allCases where benchmark.peers.contains(peer) {
      versions.append((peer, try ProgramVersion.version(of: peer, in: directory)))
    }
    let daemon = try benchmark.daemon.map { daemon throws(BenchFailure) in
      try ProgramVersion.version(of: daemon, in: directory)
    }
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
  private static func peers(_ options: BenchOptions) throws(BenchFailure) -> Set<Peer> {
    var peers: Set<Peer> = []
    for peer in Peer.allCases where peer.word == nil || options.servers.contains(peer) {
      if let obstacle = try PeerPrograms.obstacle(to: peer) {
        report("\(peer.rawValue): not measured, \(obstacle)")
      } else {
        peers.insert(peer)
      }
    }
    return peers
  }

  /// The path of the daemon to measure, if one is to be measured.
  private static func daemon(_ options: BenchOptions) throws(BenchFailure) -> String? {
    guard options.measuresDaemon else { return nil }
    if let path = options.daemon { return path }
    return try PeerPrograms.neighbour("a11yd")
  }
}
