// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yCompanion
import A11yPosix

/// From the command line to the running bridge.
@main
enum Main {
  private static let summary = """
    Brings the notifications of the desktop to the accessibility notification bus, and what programs
    say through AT-SPI; and has the screen reader Orca speak what the bus decides.
    """

  static func main() {
    CompanionMain.start(
      AtspiProgram.name,
      summary: summary,
      extras: [
        .init("ears", nil, "hear programs through AT-SPI"),
        .init(
          "screen-reader-enabled",
          nil,
          "tell programs that a screen reader runs; not beside Orca"
        ),
        .init("tree", "WHICH", "mirror the elements of a window: active"),
        .init("notifications", nil, "hear the notifications of the desktop"),
        .init("mouth", nil, "speak through the Orca that runs, where one does"),
      ]
    ) { options in
      guard ["ears", "notifications", "mouth"].contains(where: { options.value($0) != nil }) else {
        throw CommandLineOptions.Mistake(words: "--ears, --notifications or --mouth is expected")
      }
      if options.value("mouth") != nil, options.value("screen-reader-enabled") != nil {
        throw CommandLineOptions.Mistake(
          words: "--screen-reader-enabled would start a second voice beside --mouth"
        )
      }
      if let tree = options.value("tree"), tree != "active" || options.value("ears") == nil {
        throw CommandLineOptions.Mistake(words: "--tree is expected as --ears --tree active")
      }
      return try AtspiProgram(options).runUntilEnd()
    }
  }
}
