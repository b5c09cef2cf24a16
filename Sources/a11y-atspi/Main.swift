// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yCompanion
import A11yPosix

/// From the command line to the running bridge.
@main
enum Main {
  private static let summary = """
    Brings the notifications of the desktop to the accessibility notification bus, and what programs
    say through AT-SPI.
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
      ]
    ) { options in
      guard ["ears", "notifications"].contains(where: { options.value($0) != nil }) else {
        throw CommandLineOptions.Mistake(words: "--ears or --notifications is expected")
      }
      if let tree = options.value("tree"), tree != "active" || options.value("ears") == nil {
        throw CommandLineOptions.Mistake(words: "--tree is expected as --ears --tree active")
      }
      return try AtspiProgram(options).runUntilEnd()
    }
  }
}
