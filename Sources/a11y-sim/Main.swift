// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Glibc

@main
enum Main {
  static func main() {
    repeatably()
    let options: SimOptions
    do throws(CommandLineOptions.Mistake) {
      options = try SimOptions(Array(CommandLine.arguments.dropFirst()))
    } catch {
      StandardError.write("a11y-sim: \(error.words). Try a11y-sim --help.\n")
      exit(64)
    }
    if options.isHelp {
      say(SimOptions.help)
    } else {
      exit(Fleet(options).run() ? 0 : 1)
    }
  }

  /// Sets and dictionaries have another order in every process; a seed must not have another run.
  private static func repeatably() {
    let name = "SWIFT_DETERMINISTIC_HASHING"
    guard getenv(name) == nil, setenv(name, "1", 1) == 0 else { return }
    execv("/proc/self/exe", CommandLine.unsafeArgv)
  }
}

/// A line for people; when nobody listens there is nothing to be done about it.
func say(_ text: String) { _ = StandardOutput.write(text + "\n") }
