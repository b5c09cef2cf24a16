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
      let benchmark = Benchmark(
        figures: options.figures,
        rounds: options.rounds,
        daemon: try daemon(options),
        setting: BenchSetting(
          directory: try Leftovers.makeDirectory(),
          divisor: options.isQuick ? 10 : 1,
          fullSeconds: options.fullSeconds
        )
      )
      try benchmark.measureAll()
      Leftovers.clear()
    } catch {
      Leftovers.clear()
      say("a11y-bench: \(error.sentence)")
      if let words = ChildOutput.newestWords { say(words) }
      exit(Exit.failed)
    }
  }

  /// The path of the daemon to measure, if one is to be measured.
  private static func daemon(_ options: BenchOptions) throws(BenchFailure) -> String? {
    guard options.measuresDaemon else { return nil }
    if let path = options.daemon { return path }
    return try neighbour("a11yd")
  }

  /// The path of a program that lies in the same directory as this one.
  private static func neighbour(_ name: String) throws(BenchFailure) -> String {
    var path = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let length = path.withUnsafeMutableBytes { raw in
      readlink("/proc/self/exe", raw.baseAddress!, raw.count)
    }
    guard length > 0, let slash = path[..<length].lastIndex(of: UInt8(ascii: "/")) else {
      throw BenchFailure(
        "where this program lies cannot be told; --daemon names the one to measure"
      )
    }
    return String(decoding: path[...slash], as: UTF8.self) + name
  }
}
