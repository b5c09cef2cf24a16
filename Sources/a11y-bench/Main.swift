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
      try benchmark.measureAll { results in
        if !results.rows.isEmpty, benchmark.setting.divisor > 1 {
          report(
            "Quick run with sizes divided by \(benchmark.setting.divisor); targets are for the "
              + "full ones."
          )
        }
        for result in results.rows { report(result.sentence) }
        for remark in results.remarks { report(remark) }
        for line in ResultTable.markdown(results.rows) { report(line) }
      }
      Leftovers.clear()
    } catch {
      Leftovers.clear()
      say("a11y-bench: \(error.sentence)")
      if let words = ChildOutput.newestWords { say(words) }
      exit(Exit.failed)
    }
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
