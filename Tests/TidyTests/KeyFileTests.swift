// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The ready files with keys for desktops.
@Suite struct KeyFileTests {
  @Test func `every desktop gets keys for the same commands, and the commands are there`() throws {
    let commands = Set(
      try Tree.files(below: "Sources/a11yctl", named: [".swift"]).flatMap { file in
        file.text.matches(of: /static let name = "(\w+)"/).map { String($0.1) }
      }
    )
    let files = try Tree.files(below: "Config/keys", named: [".conf", ".kdl", ".sh"])
    #expect(files.count == 4)
    for file in files {
      let used = Set(file.text.matches(of: /a11yctl"? "?(\w+)/).map { String($0.1) })
      #expect(used == ["stop", "again", "quiet", "why", "announce"], "\(file.path)")
      #expect(used.isSubset(of: commands))
    }
  }
}
