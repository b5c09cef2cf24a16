// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yRules
import A11yTestKit
import A11yToml
import A11yWire
import Foundation
import Systemd
import Testing

@testable import A11yDaemon

@Suite struct SettingsReadingTests {
  @Test func `an empty text leaves the settings as they were`() throws {
    #expect(try read("") == Settings())
    #expect(try read("# nothing\n[log]\n") == Settings())
  }

  @Test func `later settings win key by key`() throws {
    let first = try read("[log]\nretain_days = 3\nretain_entries = 1000")

    let second = try read("[log]\nretain_entries = 5", over: first)

    #expect(second.log.retainAge == .seconds(3 * 86_400))
    #expect(second.log.retainEntries == 5)
  }

  @Test(arguments: [
    ("retain_days = 2", Duration.seconds(172_800)), ("retain_days = \"36 h\"", .seconds(129_600)),
    ("retain_days = \"7 d\"", .seconds(604_800)), ("retain_days = \"1.5d\"", .seconds(129_600)),
    ("retain_days = 0", nil),
  ])
  func `an age is a number of days or has a unit, and 0 means for ever`(
    line: String,
    age: Duration?
  ) throws {
    #expect(try read("[log]\n\(line)").log.retainAge == age)
  }

  @Test(arguments: [
    ("250", Duration.milliseconds(250)), ("\"250 ms\"", .milliseconds(250)),
    ("\"1.5 s\"", .milliseconds(1500)), ("\"0.5min\"", .seconds(30)), ("0", .zero),
  ])
  func `a duration is a number of milliseconds or has a unit`(
    value: String,
    grace: Duration
  ) throws {
    #expect(try read("[reader]\ngrace_ms = \(value)").reader.grace == grace)
  }

  @Test(arguments: [
    ("65536", 65_536), ("\"64 KiB\"", 65_536), ("\"1.5 MiB\"", 1_572_864), ("\"1MB\"", 1_000_000),
  ])
  func `a size is a number of bytes or has a unit`(value: String, bytes: Int) throws {
    let settings = try read("[limits]\nout_buffer = \(value)")

    #expect(settings.limits.outBuffer == bytes)
  }

  @Test func `dirs replaces the list as a whole`() throws {
    #expect(try read("[rules]\ndirs = [\"/srv/rules\"]").rules.dirs == ["/srv/rules"])
    #expect(try read("[rules]\ndirs = []").rules.dirs == [])
  }

  @Test(arguments: [
    (
      "[log]\nretain_day = 3",
      "2:1: expected one of segment_bytes, retain_days, retain_bytes, retain_entries in [log]; "
        + "got retain_day; did you mean retain_days?"
    ),
    (
      "[logs]\nretain_days = 3",
      "1:2: expected one of the tables server, limits, log, reader, rules; got logs; "
        + "did you mean log?"
    ),
    ("[log]\nms_per_char = 3", "2:1: ms_per_char belongs into the table [reader]"),
    ("retain_days = 3", "1:1: retain_days belongs into the table [log]"),
    ("color = 3", "1:1: expected a table such as [log]; got the key color"),
    (
      "[limits]\n  line_bytes = 10",
      "2:3: line_bytes is fixed at 65536 by the protocol and cannot be set; those that can are "
        + "connections, connections_per_uid, element_bytes_per_app, element_bytes_per_uid,"
        + " in_buffer, out_buffer, log_bytes_per_uid, unlimited_uids"
    ),
    (
      "[limits]\nconnections = 0",
      "2:1: limits.connections: expected an integer from 1 to 65536; got 0"
    ),
    (
      "[limits]\nconnections = 2.5",
      "2:1: limits.connections: expected an integer from 1 to 65536; got 2.5"
    ),
    (
      "[limits]\nin_buffer = 65536",
      "2:1: limits.in_buffer: expected a size from 65 KiB to 16 MiB, in bytes or with a unit such "
        + "as \"128 KiB\"; got 65536"
    ),
    (
      "[reader]\nlanguage = \"ja\"",
      "2:1: reader.language: expected one of en, de, fr, es, it, pt, nl, pl, ru, ar, sv, or \"\" "
        + "to leave it to the environment; got \"ja\""
    ),
    ("[reader]\nhints = 1", "2:1: reader.hints: expected true or false; got 1"),
    (
      "[reader]\ngrace_ms = \"2 sec\"",
      "2:1: reader.grace_ms: expected from 0 to 60000 milliseconds, or a text with a unit such as "
        + "\"1.5 s\"; got \"2 sec\""
    ),
    (
      "[log]\nretain_days = -1",
      "2:1: log.retain_days: expected at most 36500 days, a text with a unit such as \"36 h\", "
        + "or 0 for no limit; got -1"
    ),
    (
      "[server]\nlog_level = \"loud\"",
      "2:1: server.log_level: expected one of error, warning, notice, info, debug; got \"loud\""
    ),
    (
      "[server]\nmetrics = \"0.0.0.0:9464\"",
      "2:1: server.metrics: expected an address of the loopback with a port, such as"
        + " \"127.0.0.1:9464\" or \"[::1]:9464\", or \"\" for none; got \"0.0.0.0:9464\""
    ),
    (
      "[server]\nsocket = \"bus.sock\"",
      "2:1: server.socket: expected an absolute path, or \"\" to leave it to the environment; "
        + "got \"bus.sock\""
    ),
    (
      "[rules]\ndirs = \"/srv\"",
      "2:1: rules.dirs: expected a list of directories, each absolute or below $XDG_CONFIG_HOME; "
        + "got \"/srv\""
    ),
    (
      "[rules]\ndirs = [\"/srv\", 3]",
      "2:1: rules.dirs: expected a list of directories, each absolute or below $XDG_CONFIG_HOME, "
        + "but 3 is none; got a list of 2 values"
    ),
    (
      "[[rule]]\nname = \"x\"",
      "1:1: rules have files of their own, in a directory that dirs of table rules names"
    ),
    ("[[log]]\n", "1:1: expected one table [log]; got [[log]]"),
    ("log = 3", "1:1: expected one table [log]; got 3"),
    (
      "[log.old]\n",
      "1:6: expected one of segment_bytes, retain_days, retain_bytes, retain_entries in [log]; "
        + "got old"
    ),
  ])
  func `a mistake is told with its place, what was expected, and what was meant`(
    text: String,
    expected: String
  ) {
    #expect(complaints(text) == ["a11yd.toml:\(expected)"])
  }

  @Test func `all mistakes of a file are told, from top to bottom`() {
    let text = """
      [reader]
      grace = 3

      [log]
      retain_days = "soon"
      segment_bytes = true

      [colours]
      a = 1
      b = 2
      """

    let places = complaints(text).map { $0.split(separator: " ")[0] }

    #expect(places == ["a11yd.toml:2:1:", "a11yd.toml:5:1:", "a11yd.toml:6:1:", "a11yd.toml:8:2:"])
  }

  @Test func `what cannot be shown safely is not shown`() {
    let text =
      "[server]\nlog_level = \"\\u001b[2J\\u202e" + String(repeating: "x", count: 100) + "\""

    let words = complaints(text).joined()

    #expect(
      words.hasSuffix("got \"\u{FFFD}[2J\u{FFFD}" + String(repeating: "x", count: 55) + "…\"")
    )
  }

  @Test func `a mistake costs its own setting, and the rest of the file counts`() {
    let loaded = loaded(
      """
      [limits]
      connections = "many"
      connections_per_uid = 7
      [log]
      retain_day = 3
      segment_bytes = "1 MiB"
      """
    )

    var expected = Settings()
    expected.limits.connectionsPerUser = 7
    expected.log.segmentBytes = .mebibytes(1)
    #expect(loaded.settings == expected)
    #expect(loaded.complaints.map(\.line) == [2, 5])
  }

  @Test(arguments: [
    "[log]\nretain_days =\nretain_entries = 5\n", "[log]\nretain_days = 3 4\nretain_entries = 5\n",
    "[log]\nretain_days 3\nretain_entries = 5\n", "[log]\n= 3\nretain_entries = 5\n",
    "[log]\nretain_bytes = \"1 MiB\nretain_entries = 5\n",
    "[log]\nretain_days = 07\nretain_entries = 5\n",
  ])
  func `a line that is no TOML costs itself alone`(text: String) {
    let loaded = loaded(text)

    var expected = Settings()
    expected.log.retainEntries = 5
    #expect(loaded.settings == expected)
    #expect(loaded.complaints.map(\.line) == [2], "\(loaded.complaints)")
  }

  @Test func `a line that is no UTF-8 costs itself alone, where it stands`() {
    let text = "[log]\nretain_days = \u{feff}3\n?retain_bytes = 1\nretain_entries = 5\n".utf8
    let loaded = LoadedSettings(
      text: text.map { $0 == UInt8(ascii: "?") ? 0xcb : $0 },
      fileName: "a11yd.toml",
      over: Settings()
    )

    var expected = Settings()
    expected.log.retainEntries = 5
    #expect(loaded.settings == expected)
    #expect(loaded.complaints.map { "\($0.line ?? 0):\($0.column ?? 0)" } == ["3:1", "2:15"])
  }

  @Test func `a file of nothing but mistakes is given up`() {
    let loaded = loaded(String(repeating: "= 3\n", count: 100) + "[log]\nretain_entries = 5\n")

    #expect(loaded.settings == Settings())
    #expect(loaded.complaints.count == 32)
  }

  private func read(_ text: String, over base: Settings = Settings()) throws -> Settings {
    let loaded = LoadedSettings(text: Array(text.utf8), fileName: "a11yd.toml", over: base)
    #expect(loaded.complaints == [])
    return loaded.settings
  }

  private func complaints(_ text: String) -> [String] {
    loaded(text).complaints.map(\.description)
  }

  private func loaded(_ text: String) -> LoadedSettings {
    LoadedSettings(text: Array(text.utf8), fileName: "a11yd.toml", over: Settings())
  }
}

/// Files that no person writes, in the place of settings.
@Suite struct HostileSettingsTests {
  @Test func `a hundred mistakes are told, and nothing behind them is read`() {
    let strangers = (0..<5_000).map { "stranger\($0) = 1\n" }.joined()

    let loaded = load("[log]\n\(strangers)[rules]\ndirs = []\n")

    #expect(loaded.complaints.count == 100)
    #expect(loaded.settings == Settings())
  }

  @Test func `a file that is too large is given up as a whole`() {
    let loaded = load("[log]\nretain_days = 1\n" + String(repeating: "a.", count: 40) + "a = 1\n")

    #expect(
      loaded.complaints.map(\.words) == ["expected at most 32 parts of a key; there are more"]
    )
    #expect(loaded.settings == Settings())
  }

  @Test func `a large file is not read again for each line that is no TOML`() {
    let comment = "# \(String(repeating: "x", count: 200_000))\n"

    #expect(load("?\n[log]\n?\nretain_days = 1\n").complaints.count == 2)
    #expect(load("?\n[log]\n?\nretain_days = 1\n\(comment)").complaints.count == 1)
  }

  @Test func `a complaint quotes no endless text`() {
    let loaded = load("[log]\nretain_days = '\(String(repeating: "x", count: 20_000))'\n")

    #expect(loaded.complaints.allSatisfy { $0.words.unicodeScalars.count < 1_100 })
    #expect(loaded.complaints.count == 1)
  }

  private func load(_ text: String) -> LoadedSettings {
    LoadedSettings(text: Array(text.utf8), fileName: "a11yd.toml", over: Settings())
  }
}

@Suite struct ShippedSettingsTests {
  let text: String

  init() throws {
    let package = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
    text = try String(contentsOf: package.appending(path: "Config/a11yd.toml"), encoding: .utf8)
  }

  @Test func `the shipped file has the defaults of all settings`() throws {
    let settings = Settings.all.map { ($0.table, $0.key, $0.show(Settings())) }
    let difference = try KeptText("Config/a11yd.toml").difference(settings: settings)
    #expect(difference == nil)

    let loaded = LoadedSettings(text: Array(text.utf8), fileName: "a11yd.toml", over: Settings())

    #expect(loaded.complaints.isEmpty, "\(loaded.complaints)")
    #expect(loaded.settings == Settings())
  }

  @Test func `the shipped file sets every setting, in the order of the code`() throws {
    let entries = try TomlText(Array(text.utf8), fileName: "a11yd.toml").entries

    let keys = entries.filter { $0.value != .table }.map(\.fullName)

    #expect(keys == Settings.all.map { "\($0.table).\($0.key)" })
  }

  @Test func `every setting has a comment above it`() {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)

    for (line, above) in zip(lines.dropFirst(), lines)
    where line.contains(" = ") && line.first != "#" {
      #expect(above.hasPrefix("# "), "\(line)")
    }
  }
}
