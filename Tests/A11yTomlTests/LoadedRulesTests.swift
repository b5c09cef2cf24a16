// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yRules
import A11yTestKit
import A11yToml
import A11yWire
import Foundation
import Testing

/// The files of rules that are read, and their order.
@Suite struct LoadedRulesTests {
  private let place: ScratchDirectory

  init() throws { place = try ScratchDirectory() }

  private func write(_ text: String, _ name: String) throws {
    let file = URL(filePath: place(name))
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(text.utf8).write(to: file)
  }

  private func rule(_ name: String, burst: Int) -> String {
    "[[rule]]\nname = \"\(name)\"\nburst = \(burst)\n"
  }

  private var loaded: LoadedRules {
    LoadedRules(directories: [place("machine"), place("user")])
  }

  private func burst(_ rules: RuleSet) -> Treatment.Value<Int64> {
    rules.treatment(of: Facts(topic: .announcement, uid: 0, app: Name("a"))).burst
  }

  @Test func `without files the shipped rules are in force`() {
    #expect(loaded.rules == .defaults)
    #expect(loaded.files == [] && loaded.complaints == [])
  }

  @Test func `files are read by name, the user's behind the machine's`() throws {
    try write(rule("u", burst: 1), "user/10.toml")
    try write(rule("m2", burst: 2), "machine/90.toml")
    try write(rule("m1", burst: 3), "machine/80.toml")
    try write("not read", "machine/90.toml.bak")
    try write("not read", "machine/.#90.toml")

    let loaded = loaded

    #expect(loaded.complaints == [])
    #expect(loaded.rules.rules.suffix(3).map(\.name) == ["m1", "m2", "u"])
    #expect(
      loaded.files.map(\.path) == [
        place("machine/80.toml"), place("machine/90.toml"), place("user/10.toml"),
      ]
    )
    #expect(loaded.rules.files == loaded.files.map(\.path))
    #expect(burst(loaded.rules) == .init(1, rule: "u"))
  }

  @Test func `a bad file costs its own rules alone, and is told`() throws {
    try write(rule("good", burst: 7), "machine/10.toml")
    try write(rule("lost", burst: 8) + "[[rule]]\nname = \"bad\"\nburst = \"x\"", "machine/20.toml")
    try FileManager.default.createDirectory(
      atPath: place("machine/30.toml"),
      withIntermediateDirectories: true
    )

    let loaded = loaded

    #expect(burst(loaded.rules) == .init(7, rule: "good"))
    #expect(
      loaded.complaints.map(\.description) == [
        place("machine/20.toml") + ":6:1: burst: expected an integer from 1 to 10000; got \"x\"",
        place("machine/30.toml") + ": expected a file; this is a directory",
      ]
    )
  }

  @Test func `a pipe among the files costs nobody's time`() throws {
    try write(rule("good", burst: 7), "machine/10.toml")
    #expect(mkfifo(place("machine/20.toml"), 0o600) == 0)

    let loaded = loaded

    #expect(burst(loaded.rules) == .init(7, rule: "good"))
    #expect(
      loaded.complaints.map(\.description) == [
        place("machine/20.toml") + ": expected a file; this is a pipe"
      ]
    )
  }

  @Test func `more files than there may be are told once, and the first ones count`() throws {
    for number in 1000..<1300 { try write(rule("r\(number)", burst: 1), "machine/\(number).toml") }

    let loaded = loaded

    #expect(loaded.files.count == 256)
    #expect(
      loaded.complaints.map(\.description) == [
        place("machine/1256.toml")
          + ": expected at most 256 files of rules; with this one begin 44 more, which are left out"
      ]
    )
  }

  @Test func `files that are too much together are told once, and the first ones count`() throws {
    let comment = "#" + String(repeating: "x", count: 249_998) + "\n"
    for number in 1...7 { try write(comment + rule("r\(number)", burst: 1), "user/\(number).toml") }

    let loaded = loaded

    #expect(loaded.files.map(\.path) == (1...4).map { place("user/\($0).toml") })
    #expect(
      loaded.complaints.map(\.description) == [
        place("user/5.toml") + ": expected at most 1048576 bytes of rules in all; with this one"
          + " begin 3 more, which are left out"
      ]
    )
  }

  @Test func `names count over all directories`() throws {
    for number in 0..<2_100 {
      try write("", "machine/\(number)")
      try write("", "user/\(number)")
    }
    try write(rule("user", burst: 3), "user/10.toml")

    #expect(loaded.files.isEmpty && loaded.complaints.count == 1)
  }

  @Test func `a directory of thousands of names is not looked through`() throws {
    try write(rule("user", burst: 3), "user/10.toml")
    for number in 0...4_096 { try write("", "machine/\(number)") }

    let loaded = loaded

    #expect(loaded.files.map(\.path) == [place("user/10.toml")])
    #expect(
      loaded.complaints.map(\.description) == [
        place("machine") + ": expected at most 4096 files in all; there are more"
      ]
    )
  }

  @Test func `more rules than there may be are a bad file`() throws {
    let many = (1...500).map { rule("r\($0)", burst: 1) }.joined()
    try write(many, "machine/10.toml")

    let loaded = loaded

    #expect(loaded.rules == .defaults)
    let all = 500 + RuleSet.defaults.rules.count
    #expect(
      loaded.complaints.map(\.words) == [
        "expected at most 512 rules in all; with this file they are \(all)"
      ]
    )
  }

  @Test func `rules that no entry has room for are a bad file`() throws {
    let patterns = (1...64).map { "\"\($0)-\(String(repeating: "a", count: 200))\"" }
    let long = (1...20).map {
      "[[rule]]\nname = \"r\($0)\"\ntext = [\(patterns.joined(separator: ", "))]\nburst = 1\n"
    }
    try write(long.prefix(10).joined(), "machine/10.toml")
    try write(long.suffix(10).joined(), "machine/15.toml")
    try write(rule("small", burst: 9), "machine/20.toml")

    let loaded = loaded

    #expect(burst(loaded.rules) == .init(9, rule: "small"))
    #expect(
      loaded.complaints.map(\.words) == [
        "expected rules that fit into one entry of the log; with this file they are too long"
      ]
    )
  }
}
