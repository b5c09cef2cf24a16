// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yCompanion
import A11yPosix
import Glibc

/// From the command line to the running display.
@main
enum Main {
  private static let summary = """
    Shows what the accessibility notification bus delivers on a braille display, through BRLTTY.
    The environment variables BRLAPI_HOST and BRLAPI_AUTH name a BRLTTY other than this machine's.
    """

  static func main() {
    Signals.ignoreBrokenPipe()
    do {
      let options = try CompanionOptions(
        Array(CommandLine.arguments.dropFirst()),
        of: BrailleProgram.name,
        summary: summary,
        extras: []
      )
      if case .print(let text) = options.task {
        _ = StandardOutput.write(text)
        return
      }
      Signals.ignoreStraySignals()
      Signals.holdHangUp()
      Signals.crashAtOnce()
      exit(try BrailleProgram(options).work())
    } catch let mistake as CommandLineOptions.Mistake {
      fail("\(mistake.words); --help tells more.", 64)
    } catch {
      fail("\(error)", 71)
    }
  }

  private static func fail(_ words: String, _ code: Int32) -> Never {
    StandardError.write("\(BrailleProgram.name): \(words)\n")
    exit(code)
  }
}
