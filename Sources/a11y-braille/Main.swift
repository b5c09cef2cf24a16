// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yCompanion

/// From the command line to the running display.
@main
enum Main {
  private static let summary = """
    Shows what the accessibility notification bus delivers on a braille display, through BRLTTY.
    The environment variables BRLAPI_HOST and BRLAPI_AUTH name a BRLTTY other than this machine's.
    """

  static func main() {
    CompanionMain.start(BrailleProgram.name, summary: summary) { options in
      try BrailleProgram(options).runUntilEnd()
    }
  }
}
