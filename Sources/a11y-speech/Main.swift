// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yCompanion
import A11ySpeech

/// From the command line to the running voice.
@main
enum Main {
  private static let summary = """
    Speaks what the accessibility notification bus delivers, through speech-dispatcher, and reports
    to the bus how far each text was heard. Without a speech-dispatcher it starts one.
    """

  static func main() {
    CompanionMain.start(
      SpeechProgram.name,
      summary: summary,
      extras: [
        .init(
          "speech-address",
          "ADDRESS",
          "the socket of speech-dispatcher, as in unix_socket:/run/user/1000/speechd.sock"
        )
      ]
    ) { options in
      let address = try SpeechAddress(option: options.value("speech-address"))
      return try SpeechProgram(options, address).runUntilEnd()
    }
  }
}
