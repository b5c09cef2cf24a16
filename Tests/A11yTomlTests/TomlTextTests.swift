// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import A11yToml

@Suite struct TomlTextTests {
  @Test func `entries come in the order of the file, with their places`() throws {
    let text = """
      [zoo]
      b = "two"
        a = 1
      [ant]
      yes = true
      half = 0.5
      """

    let entries = try read(text)

    #expect(
      entries == [
        TomlEntry(path: "", key: "zoo", line: 1, column: 2, value: .table),
        TomlEntry(path: "zoo", key: "b", line: 2, column: 1, value: .string("two")),
        TomlEntry(path: "zoo", key: "a", line: 3, column: 3, value: .integer(1)),
        TomlEntry(path: "", key: "ant", line: 4, column: 2, value: .table),
        TomlEntry(path: "ant", key: "yes", line: 5, column: 1, value: .boolean(true)),
        TomlEntry(path: "ant", key: "half", line: 6, column: 1, value: .number(0.5)),
      ]
    )
  }

  @Test func `tables of an array are told apart by their place in it`() throws {
    let text = """
      [[rule]]
      name = "a"
      [[rule]]
      name = "b"
      """

    let entries = try read(text)

    #expect(entries.map(\.fullName) == ["rule[0]", "rule[0].name", "rule[1]", "rule[1].name"])
    #expect(entries.map(\.line) == [1, 2, 3, 4])
  }

  @Test func `more than ten tables of an array stay in order`() throws {
    let text = String(repeating: "[[rule]]\nname = \"x\"\n", count: 12)

    let names = try read(text).filter { $0.value == .table }.map(\.key)

    #expect(names == (0..<12).map { "rule[\($0)]" })
  }

  @Test func `outer tables stand before inner ones`() throws {
    #expect(try read("[a.b.c]\nd = 1").map(\.fullName) == ["a", "a.b", "a.b.c", "a.b.c.d"])
    #expect(try read("a = { b = 1 }").map(\.fullName) == ["a", "a.b"])
    #expect(try read("a.b = 1").map(\.fullName) == ["a", "a.b"])
  }

  @Test func `a list keeps the place of each of its values`() throws {
    let value = try #require(try read("a = [\"x\",\n  2]").first).value

    #expect(
      value
        == .array([
          TomlValue.Item(value: .string("x"), line: 1, column: 6),
          TomlValue.Item(value: .integer(2), line: 2, column: 3),
        ])
    )
  }

  @Test func `empty lists, nested lists and times have their kinds`() throws {
    let entries = try read("a = []\nb = [[1], {}]\nc = 2026-01-01")

    #expect(entries[0].value == .array([]))
    #expect(entries[1].value.description == "a list of 2 values")
    #expect(entries[2].value == .time)
  }

  @Test(arguments: [
    ("a = ", 1), ("[a]\nb = 1\nb = 2", 3), ("[a\n", 1), ("\n\na = \"\u{1}\"", 3),
    ("a = 99999999999999999999", 1),
  ])
  func `what is no TOML is refused with its place`(text: String, line: Int) {
    #expect {
      try read(text)
    } throws: { error in
      let complaints = error as? Complaints
      return complaints?.all.count == 1 && complaints?.all.first?.line == line
        && complaints?.all.first?.words.hasPrefix("this is not TOML: ") == true
    }
  }

  @Test(arguments: [("[%]", 1, 2), ("a = 1\n[ \u{e9} ]", 2, 3), ("# \u{e9}\n\n[[%", 3, 3)])
  func `a head without a name is refused where the name should be`(
    text: String,
    line: Int,
    column: Int
  ) throws {
    let complaints = try #require(throws: Complaints.self) { try read(text) }

    #expect(complaints.all.map(\.line) == [line])
    #expect(complaints.all.map(\.column) == [column])
  }

  @Test(arguments: [
    (String(repeating: "a.", count: 50_000) + "a = 1", "at most 32 parts of a key"),
    ("a = [\"\"\"x\"\"\"\", {\(String(repeating: "a.", count: 40))a = 1}]", "32 parts of a key"),
    (String(repeating: "a.", count: 31) + "a = { b.c = 1 }", "at most 32 levels"),
    ("a = " + String(repeating: "[", count: 10_000), "at most 8192 tables and values"),
    ((0...8_192).map { "k\($0) = 1\n" }.joined(), "at most 8192 tables and values"),
    (String(repeating: "k", count: 300) + " = 1", "at most 256 bytes of a name with its tables"),
  ])
  func `what no person writes is refused as a whole`(text: String, words: String) throws {
    let complaints = try #require(throws: Complaints.self) { try read(text) }

    #expect(complaints.isTooLarge)
    #expect(complaints.all.count == 1)
    #expect(complaints.description.contains(words), "\(complaints)")
  }

  @Test(arguments: [
    "a = \"" + String(repeating: ".", count: 100) + "\"",
    "# " + String(repeating: "[.", count: 9_000),
    "a = '''\n" + String(repeating: "a.", count: 50) + "''''",
    "a = [" + String(repeating: "1.5, ", count: 40) + "]",
    String(repeating: "a.", count: 31) + "a = 1",
    "a = \"\\\"\" # \"",
    "[ \"a b\" ]\n[['c']]\n",
  ])
  func `marks in strings and comments are not counted`(text: String) throws {
    _ = try read(text)
  }

  @Test func `lists within each other have their bound, and are told from heads`() throws {
    #expect(try read("a = [\n[ +1 ],\n[\n2 ] ]").count == 1)
    let nested = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
    let complaints = try #require(throws: Complaints.self) { try read("a = \(nested)") }
    #expect(complaints.description.contains("nested value depth"), "\(complaints)")
  }

  @Test func `a complaint shows what the eye would not see`() throws {
    let complaints = try #require(throws: Complaints.self) { try read("\u{9b}2J") }

    #expect(complaints.description.hasSuffix("saw '<U+009B>'"), "\(complaints)")
  }

  @Test func `bytes that are no UTF-8 are refused at their place`() throws {
    let text = Array("b = 1\na = \"ä".utf8) + [0xff, 0x22]
    let complaints = try #require(throws: Complaints.self) {
      try TomlText(text, fileName: "f")
    }

    #expect(complaints.description == "f:2:7: this is not UTF-8")
  }

  private func read(_ text: String) throws -> [TomlEntry] {
    try TomlText(Array(text.utf8), fileName: "f").entries
  }
}
