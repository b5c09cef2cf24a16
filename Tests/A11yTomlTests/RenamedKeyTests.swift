// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import A11yToml

@Suite struct RenamedKeyTests {
  private let renamed = [
    RenamedKey("log.keep_days", now: "retain_days", until: "1.3.0"),
    RenamedKey("rule.set.life", now: "ttl", until: "1.4.0"),
  ]

  private func read(_ text: String) throws -> TomlText {
    try TomlText(Array(text.utf8), fileName: "f.toml", renamed: renamed)
  }

  @Test func `an old name is read as the new one, at its place`() throws {
    let text = try read("[log]\nkeep_days = 3\n")

    let entry = try #require(text.entries.last)
    #expect(
      entry == TomlEntry(path: "log", key: "retain_days", line: 2, column: 1, value: .integer(3))
    )
  }

  @Test func `each use of an old name is warned about, with its end`() throws {
    let text = try read("[[rule]]\nset.life = \"1 s\"\n[[rule]]\nset.life = \"2 s\"\n")

    #expect(text.entries.filter { $0.key == "ttl" }.map(\.path) == ["rule[0].set", "rule[1].set"])
    #expect(
      text.warnings.map(\.description) == [
        "f.toml:2:5: rule[0].set.life: this key is called ttl now; version 1.4.0 will not know the"
          + " old name",
        "f.toml:4:5: rule[1].set.life: this key is called ttl now; version 1.4.0 will not know the"
          + " old name",
      ]
    )
  }

  @Test func `a new name, and the same word in another table, are as they were`() throws {
    let text = try read("[log]\nretain_days = 3\n[reader]\nkeep_days = 4\n")

    #expect(text.entries.map(\.fullName).contains("reader.keep_days"))
    #expect(text.warnings == [])
  }

  @Test func `warnings have the bound of mistakes`() throws {
    let text = try read(String(repeating: "[[rule]]\nset.life = 1\n", count: 150))

    #expect(text.warnings.count == Complaints.most)
  }
}
