// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// Files of rules and a running daemon: what is in force, what is on record, and what a bad file
/// does not do.
@Suite(.timeLimit(.minutes(hangs)))
struct RulesTests {
  let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  private var configuration: String { "[rules]\ndirs = [\"\(scratch("rules.d"))\"]\n" }

  private func write(_ text: String, _ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: scratch("rules.d"),
      withIntermediateDirectories: true
    )
    try Data(text.utf8).write(to: URL(filePath: scratch("rules.d/\(name)")))
  }

  private func tool(_ words: String...) throws -> (status: Int32, output: String) {
    try Command(LogFiles.tool, words).run()
  }

  private func rules(_ daemon: RunningDaemon) throws -> JSON {
    try daemon.connect().ask(#"{"id":1,"op":"rules"}"#)["ok"]
  }

  private func entries(_ daemon: RunningDaemon) throws -> [JSON] {
    try daemon.entries().map { try $0.json()["event"] }.filter { $0["type"] == "rules" }
  }

  /// Where the value of a setting comes from, for messages of default priority.
  private func burst(_ rules: JSON) -> JSON {
    let row = rules["effective"].list?.first {
      $0["type"] == "announcement" && $0["class"].strings?.contains("message") == true
        && $0["priority"].strings == ["default"]
    }
    return row?["settings"]["burst"] ?? .absent
  }

  private static let quiet = "[[rule]]\nname = \"quiet\"\ntype = \"announcement\"\nburst = 1\n"
  private static let bad = "[[rule]]\nname = \"quiet\"\nburts = 2\n"

  @Test func `the shipped rules are on record right behind the start`() throws {
    let daemon = try RunningDaemon()

    let events = try daemon.entries().map { try $0.json()["event"] }

    #expect(events.prefix(2).map(\.["type"].string) == ["opened", "rules"])
    #expect(events[1]["hash"].string?.count == 32)
    #expect(events[1]["files"] == [])
    #expect(events[1]["content"].list?.first?["name"] == "layout-changed")
    #expect(events[1]["reader"] == ["ms_per_char": 50, "grace_ms": 2000])
  }

  @Test func `roles are said in the user's language, hints and states only where they are wanted`()
    throws
  {
    let daemon = try RunningDaemon(
      config: "[reader]\nlanguage = \"de\"\nhints = false\nstates = false\n"
    )
    let app = try daemon.connect()
    try app.publishAccepted(
      #"{"type":"elements","window":"w","replace":[{"id":"a","label":"Senden","#
        + #""traits":["button","selected"],"hint":"Verschickt die Nachricht."}]}"#
    )
    let reader = try daemon.connect()
    _ = try reader.ask(#"{"id":1,"op":"hello","app":"voice","role":"reader"}"#)
    try reader.subscribe("")
    try app.publishAccepted(#"{"type":"window","window":"w","state":"active"}"#)

    var deliver = try reader.entry().json()["event"]
    while deliver["type"] != "deliver" { deliver = try reader.entry().json()["event"] }

    #expect(deliver["speak"] == [["text": "Senden, Schaltfläche"]])
  }

  @Test func `without a setting our own words are in the language of the session`() throws {
    let directory = try ScratchDirectory()
    var environment = try RunningDaemon.home(in: directory)
    environment["LANG"] = "pl_PL.UTF-8"
    try Data().write(to: URL(filePath: directory("a11yd.toml")))
    let process = try DaemonProcess(
      RunningDaemon.arguments(in: directory),
      environment: environment
    )
    _ = try process.line(beginning: "a11yd: ready ")

    let asking = try RawClient(directory("bus.sock"))
    let rules = try asking.ask(#"{"id":1,"op":"rules"}"#)

    #expect(rules["ok"]["reader"]["language"] == "pl")
    process.send(SIGTERM)
    #expect(try process.end() == .exited(0))
  }

  @Test func `what was missed is told in the user's language`() throws {
    let daemon = try RunningDaemon(config: "[reader]\nlanguage = \"de\"\n")
    let reader = try daemon.connect()
    _ = try reader.ask(#"{"id":1,"op":"hello","app":"voice","role":"reader"}"#)
    try reader.subscribe("")
    let app = try daemon.connect()
    try app.publishAccepted(#"{"type":"do-not-disturb","level":100}"#)
    try app.publishAccepted(#"{"type":"announcement","text":"Psst","ttl_ms":1}"#)
    var event = try reader.entry().json()["event"]
    while event["type"] != "outcome" { event = try reader.entry().json()["event"] }
    #expect(event["result"] == "expired")

    try app.publishAccepted(#"{"type":"do-not-disturb","level":0}"#)

    while event["type"] != "deliver" { event = try reader.entry().json()["event"] }
    #expect(event["speak"] == [["text": "1 Ansage von uid:0 wurde verpasst"]])
  }

  @Test func `every value is told with the rule that it comes from`() throws {
    try write(Self.quiet, "10.toml")
    let daemon = try RunningDaemon(config: configuration)

    let rules = try rules(daemon)

    #expect(
      burst(rules) == ["value": 1, "rule": "quiet", "file": .string(file("10.toml")), "line": 1]
    )
    #expect(rules["files"] == [.string(file("10.toml"))])
    #expect(rules["builtin"].strings?.contains("class chat") == true)
    #expect(rules["builtin"].strings?.contains("quiet") == false)
    #expect(try entries(daemon).map(\.["hash"]) == [rules["hash"]])
    let shown = try tool("rules", "show", "--all", "--socket", daemon.socket)
    #expect(shown.status == 0)
    #expect(
      shown.output.contains(
        "announcement of class message or hint or any other, priority default: burst 1, "
          + "rule quiet at \(file("10.toml")):1\n"
      )
    )
    #expect(shown.output.contains(": ttl 10 s, built-in rule announcement default\n"))
  }

  @Test func `a reload takes new rules over, and the log is told once`() throws {
    let daemon = try RunningDaemon(config: configuration)
    try write(Self.quiet, "10.toml")

    let first = try tool("reload", "--socket", daemon.socket)
    let second = try tool("reload", "--socket", daemon.socket)

    #expect(first == (0, "Configuration and rules were read again and are in force."))
    #expect(second == first)
    #expect(burst(try rules(daemon))["rule"] == "quiet")
    #expect(try entries(daemon).map(\.["files"].count) == [0, 1])
  }

  @Test func `a reload with a bad file keeps the rules as they were, and says why`() throws {
    try write(Self.quiet, "10.toml")
    let daemon = try RunningDaemon(config: configuration)
    let client = try daemon.connect()
    _ = try client.last()
    try write(Self.bad, "10.toml")
    try write("[[rule]]\nname = \"other\"\nburst = 3\n", "20.toml")

    let (status, output) = try tool("reload", "--socket", daemon.socket)

    #expect(status == 78)
    #expect(output.contains("\(file("10.toml")):3:1: expected one of name, "), "\(output)")
    #expect(output.hasSuffix("got burts; did you mean burst?"), "\(output)")
    #expect(burst(try rules(daemon))["rule"] == "quiet")
    #expect(burst(try rules(daemon))["value"] == 1)
    #expect(try entries(daemon).count == 1)
    _ = try daemon.process.line(containing: "\(file("10.toml")):3:1:")
    // Nobody was disconnected.
    #expect(try client.last() > 0)
    let stats = try client.ask(#"{"id":2,"op":"stats"}"#)["ok"]["reloads"]
    #expect(stats["count"] == 1)
    #expect(stats["refused"].string?.hasPrefix(file("10.toml")) == true)

    try write(Self.quiet, "10.toml")
    #expect(try tool("reload", "--socket", daemon.socket).status == 0)
    #expect(burst(try rules(daemon))["rule"] == "other")
  }

  @Test func `at the start a bad file costs its own rules and no others`() throws {
    try write(Self.bad, "10.toml")
    try write(Self.quiet, "20.toml")

    let daemon = try RunningDaemon(config: configuration)

    _ = try daemon.process.line(containing: "\(file("10.toml")):3:1:")
    #expect(burst(try rules(daemon))["file"] == .string(file("20.toml")))
    #expect(try entries(daemon).map(\.["files"]) == [[.string(file("20.toml"))]])
  }

  @Test func `checking the configuration checks the rules`() throws {
    try write(Self.bad, "10.toml")
    try Data(configuration.utf8).write(to: URL(filePath: scratch("a11yd.toml")))

    let check = try Command(
      DaemonProcess.program,
      ["--check-config", "--config", scratch("a11yd.toml")]
    ).run()

    #expect(check.status == 78)
    #expect(check.output.contains("\(file("10.toml")):3:1:"))
  }

  @Test func `files of rules are checked without a daemon`() throws {
    try write(Self.quiet, "good.toml")
    try write(Self.bad, "bad.toml")

    let good = try tool("rules", "check", file("good.toml"))
    let both = try tool("rules", "check", file("good.toml"), file("bad.toml"))

    #expect(good == (0, "\(file("good.toml")): 1 rule, all good."))
    #expect(both.status == 78)
    #expect(both.output.contains("\n\(file("bad.toml")):3:1: expected one of "))
    #expect(both.output.contains("a11yctl: 1 mistake. "))
  }

  private func file(_ name: String) -> String { scratch("rules.d/\(name)") }
}
