// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yToml
import Testing

/// A command changes one line of a file that a person has written.
@Suite struct TomlEditTests {
  private static func edited(
    _ text: String,
    _ key: String,
    _ value: String?,
    in table: String = "voice"
  ) -> String {
    var edit = TomlEdit(text)
    edit.set(key, to: value, in: table)
    return edit.text
  }

  @Test func `a key is changed where it stands, and every other line stays`() {
    let text = "# mine\n[voice]\nrate = 10 # fast\npitch = 3\n\n[other]\nrate = 1\n"

    #expect(
      Self.edited(text, "rate", "20")
        == "# mine\n[voice]\nrate = 20 # fast\npitch = 3\n\n[other]\nrate = 1\n"
    )
  }

  @Test func `a new key stands behind the last one of its table`() {
    let text = "[voice]\nrate = 10\n\n# of one app\n[app.\"x\"]\npitch = 3\n"

    #expect(
      Self.edited(text, "pitch", "5")
        == "[voice]\nrate = 10\npitch = 5\n\n# of one app\n[app.\"x\"]\npitch = 3\n"
    )
  }

  @Test func `a table that is missing is made`() {
    #expect(Self.edited("", "rate", "20") == "[voice]\nrate = 20\n")
    #expect(
      Self.edited("[voice]\nrate = 20\n", "pitch", "5", in: "app.\"x\"")
        == "[voice]\nrate = 20\n\n[app.\"x\"]\npitch = 5\n"
    )
  }

  @Test func `a key that is taken out takes its line along`() {
    #expect(Self.edited("[voice]\nrate = 20\npitch = 5\n", "rate", nil) == "[voice]\npitch = 5\n")
    #expect(Self.edited("[voice]\n", "rate", nil) == "[voice]\n")
    #expect(Self.edited("", "rate", nil) == "")
  }

  @Test func `a line that is commented out is none`() {
    #expect(
      Self.edited("#[voice]\n#rate = 1\n", "rate", "2")
        == "#[voice]\n#rate = 1\n\n[voice]\nrate = 2\n"
    )
  }

  @Test func `a text is quoted as TOML reads it`() throws {
    let text = "a \"b\" \\ c"
    let read = try TomlText(Array("key = \(TomlEdit.quoted(text))\n".utf8), fileName: "x")

    #expect(read.entries.first?.value == .string(text))
  }
}
