// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A program that does its work and ends.
enum Tool {
  /// The time and processor time of a run.
  struct Cost {
    let nanoseconds: Int
    let processorNanoseconds: Int
  }

  /// The path of `a11yctl`, beside the daemon.
  static func control(beside daemon: String) -> String {
    let folder = daemon.lastIndex(of: "/").map { daemon[...$0] } ?? ""
    return folder + "a11yctl"
  }

  /// Runs `program` to its end, which must be a success, with its output in the file `output`.
  static func run(
    _ program: String,
    _ arguments: [String],
    home: Home,
    output: String
  ) throws(BenchFailure) -> Cost {
    let processorBefore = CPUTime.nanosecondsOfTheEnded()
    let before = Clock.nanoseconds()
    let child = try Child.start(program, arguments, home: home.path, standardOutput: output)
    let speech = ChildOutput(readingFrom: child.standardError, of: program)
    let status = speech.waitUntilEnd(of: child.process)
    let elapsed = Clock.nanoseconds() - before
    guard status == 0 else {
      throw BenchFailure("\(program) \(arguments[0]) ended with wait status \(status)")
    }
    return Cost(
      nanoseconds: elapsed,
      processorNanoseconds: CPUTime.nanosecondsOfTheEnded() - processorBefore
    )
  }
}
