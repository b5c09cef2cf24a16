// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Glibc

/// The way from a command line to a running program, and to its exit code.
package enum CompanionMain {
  /// Reads the command line of this process and runs `body`, unless the line asks for a text.
  package static func start(
    _ program: String,
    summary: String,
    extras: [CompanionOptions.Extra],
    _ body: (CompanionOptions) throws -> Int32
  ) -> Never {
    Signals.ignoreBrokenPipe()
    Machine.forbidDumps()
    do {
      let words = Array(CommandLine.arguments.dropFirst())
      let options = try CompanionOptions(words, of: program, summary: summary, extras: extras)
      if case .print(let text) = options.task {
        _ = StandardOutput.write(text)
        exit(0)
      }
      Signals.ignoreStraySignals()
      Signals.holdHangUp()
      Signals.crashAtOnce()
      exit(try body(options))
    } catch let mistake as CommandLineOptions.Mistake {
      fail(program, "\(mistake.words); --help tells more.", 64)
    } catch {
      fail(program, "\(error)", 71)
    }
  }

  private static func fail(_ program: String, _ words: String, _ code: Int32) -> Never {
    StandardError.write("\(program): \(words)\n")
    exit(code)
  }
}
