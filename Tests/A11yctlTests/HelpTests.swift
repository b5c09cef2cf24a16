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

  @Test func `each command that may ask an engine says where the machine stands`() {
    let asking = Main.commands.filter { $0.notes.contains(ReadingOptions.engineNotes) }

    #expect(asking.count >= 14)
    for command in asking {
      let call = "\n   or: a11yctl \(command.name) --from ADDRESS [OPTION]... MACHINE"
      #expect(command.help.contains(call), "\(command.name)")
    }
  }
}
