// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import a11yctl

/// The help texts of the commands.
@Suite struct HelpTests {
  @Test func `help fits the width of a terminal`() throws {
    for command in Main.commands {
      for line in command.help.split(separator: "\n") { #expect(line.count <= 100) }
    }
  }
}
