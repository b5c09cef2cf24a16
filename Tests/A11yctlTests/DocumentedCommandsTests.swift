// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import a11yctl

/// The commands that documents name are there, with the options that they name.
@Suite struct DocumentedCommandsTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test(arguments: [
    "README.md", "docs/listening.md", "docs/apps.md", "docs/ci.md", "docs/man/a11yctl.1.md",
  ])
  func `a command line is one that a11yctl understands`(document: String) throws {
    let text = try String(contentsOf: Self.root.appending(path: document), encoding: .utf8)
    var seen = 0
    // A line that copies the program does not run it.
    for line in text.split(separator: "\n") where !line.contains(" cp ") {
      for match in line.matches(of: /a11yctl ((?:log |rules |driver |fleet )?[a-z]+)([^|`(]*)/) {
        // Behind two hyphens stand the words of another program, and behind blanks an explanation.
        let rest = match.2.firstRange(of: " -- ").map { match.2[..<$0.lowerBound] } ?? match.2
        let words = rest.firstRange(of: "   ").map { rest[..<$0.lowerBound] } ?? rest
        guard let command = Main.commands.first(where: { $0.name == match.1 }) else {
          let isGroup = CommandGroup.all.contains { $0.name == match.1 }
          // Running text goes on with words of its own.
          #expect(isGroup || !line.hasPrefix("    ") && !line.hasPrefix("$ "), "\(line)")
          continue
        }
        seen += 1
        for option in words.matches(of: /--([a-z-]+)/) {
          let names = command.options.map(\.name)
          #expect(names.contains(String(option.1)), "\(document): \(line)")
        }
      }
    }
    #expect(seen > 0)
  }
}
