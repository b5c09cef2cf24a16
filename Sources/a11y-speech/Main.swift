// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yCompanion
import A11yPosix
import A11ySpeech
import Glibc

/// From the command line to the running voice.
@main
enum Main {
  private static let summary = """
    Speaks what the accessibility notification bus delivers, through speech-dispatcher, and reports
    to the bus how far each text was heard. Without a speech-dispatcher it starts one.
    """

  static func main() {
    Signals.ignoreBrokenPipe()
    do {
      let options = try CompanionOptions(
        Array(CommandLine.arguments.dropFirst()),
        of: SpeechProgram.name,
        summary: summary,
        extras: [
          .init(
            "speech-address",
            "ADDRESS",
            "the socket of speech-dispatcher, as in unix_socket:/run/user/1000/speechd.sock"
          )
        ]
      )
      if case .print(let text) = options.task {
        _ = StandardOutput.write(text)
        return
      }
      let address = try SpeechAddress(option: options.value("speech-address"))
      Signals.ignoreStraySignals()
      Signals.holdHangUp()
      Signals.crashAtOnce()
      exit(try SpeechProgram(options, address).runUntilEnd())
    } catch let mistake as CommandLineOptions.Mistake {
      fail("\(mistake.words); --help tells more.", 64)
    } catch {
      fail("\(error)", 71)
    }
  }

  private static func fail(_ words: String, _ code: Int32) -> Never {
    StandardError.write("\(SpeechProgram.name): \(words)\n")
    exit(code)
  }
}
