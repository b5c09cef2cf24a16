// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// The promise of docs/log.md to agents that tail files, held to a real one.
@Suite(.timeLimit(.minutes(hangs)))
struct AgentTests {
  private static let agent = "/usr/sbin/rsyslogd"

  /// The lines that the agent has sent, the later copy of a key in the place of an earlier one.
  private static func entries(in file: String) throws -> [Int64: JSON] {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return [:] }
    var entries: [Int64: JSON] = [:]
    // The last line may not be whole yet.
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      let entry = try JSON(String(line))["line"]
      if let seq = entry["seq"].integer { entries[seq] = entry }
    }
    return entries
  }

  private static func logged(_ daemon: RunningDaemon) throws -> [Int64: JSON] {
    // A segment may be written anew between the listing and the reading.
    for _ in 0..<16 {
      guard let lines = try? daemon.linesOnDisk() else { continue }
      let entries = try lines.filter { $0.hasPrefix("{\"seq\":") }.map { try JSON($0) }
      return Dictionary(entries.map { ($0["seq"].integer ?? 0, $0) }) { $1 }
    }
    throw Missing("a log that stays as it is while it is read")
  }

  @Test func `files keep their promise to a reader while they are turned over and forgotten`()
    throws
  {
    let daemon = try RunningDaemon(config: "[log]\nsegment_bytes = 65536\n")
    var tail = LogTail(daemon.state)
    var forgetting: RawClient?
    for round in 0..<30 {
      let client = try daemon.connect()
      try client.hello(round % 3 == 1 ? "org.gone" : "org.kept")
      for number in 0..<60 {
        let text = "\(round) \(number) \(String(repeating: "x", count: number * 8))"
        try client.send(#"{"op":"publish","event":{"type":"announcement","text":"\#(text)"}}"#)
        // The daemon is at work meanwhile.
        if number % 20 == 0 { try tail.look() }
      }
      _ = try client.last()
      switch round {
      case 15:
        let asking = try daemon.connect()
        try asking.hello("forgetter")
        try asking.send(#"{"id":9,"op":"forget","apps":["org.gone"]}"#)
        forgetting = asking
      case 22:
        try waitUntil("the forgetting") {
          try Self.logged(daemon).values.contains { $0["event"]["type"] == "forgot" }
        }
        #expect(tail.cuts == [])
        daemon.kill()
        try daemon.start()
      default: break
      }
    }
    _ = forgetting
    var logged: [Int64: JSON] = [:]
    try waitUntil("what is on the disk; it found \(tail.mistakes)") {
      try tail.look()
      logged = try Self.logged(daemon)
      return try tail.changed == Set(Self.forgotten(in: logged)) && tail.lines() == logged
    }

    #expect(tail.mistakes == [])
    // Each seq once, none missing.
    #expect(logged.keys.sorted() == Array(1...Int64(logged.count)))
    #expect(try daemon.segments().count > 2)
    #expect(tail.changed.count >= 300)
  }

  /// The seqs that the entry about forgetting names.
  private static func forgotten(in entries: [Int64: JSON]) throws -> [Int64] {
    guard let forgot = entries.values.first(where: { $0["event"]["type"] == "forgot" }) else {
      throw Missing("an entry about forgetting")
    }
    return (forgot["event"]["ranges"].list ?? []).flatMap { range in
      Array((range[0].integer ?? 0)...(range[1].integer ?? 0))
    }
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: agent), "rsyslogd is missing"))
  func `rsyslog has every entry, and loses what is forgotten`() throws {
    let daemon = try RunningDaemon(config: "[log]\nsegment_bytes = 65536\n")
    let files = try ScratchDirectory()
    let example = Tree.root.appending(path: "docs/fleet/rsyslog.conf")
    let text = try String(contentsOf: example, encoding: .utf8)
      .replacing("/var/lib/a11yd", with: daemon.state)
      .replacing("/var/spool/rsyslog", with: files.path)
      .replacing(
        #"type="omfwd" target="collector.example.org" port="6514" protocol="tcp""#,
        with: #"type="omfile" file="\#(files("sent"))""#
      )
    try #require(text.contains("omfile"))
    try text.write(toFile: files("rsyslog.conf"), atomically: true, encoding: .utf8)
    let agent = try DaemonProcess(["-n", "-iNONE", "-f", files("rsyslog.conf")], of: Self.agent)

    for app in ["org.kept", "org.gone", "org.later"] {
      let client = try daemon.connect()
      try client.hello(app)
      for number in 0..<300 {
        try client.send(
          #"{"op":"publish","event":{"type":"announcement","text":"\#(app) \#(number)"}}"#
        )
      }
      _ = try client.last()
    }
    try #require(try daemon.segments().count > 1)
    try waitUntil("all entries; it said: \(agent.said)") {
      try Self.entries(in: files("sent")) == Self.logged(daemon)
    }
    try #require(
      try daemon.connect().ask(#"{"id":1,"op":"forget","apps":["org.gone"]}"#)["ok"]["count"]
        .integer ?? 0 >= 300
    )

    try waitUntil("what was forgotten; it said: \(agent.said)") {
      try Self.entries(in: files("sent")) == Self.logged(daemon)
    }
    let held = try Self.entries(in: files("sent")).values
    #expect(held.count { $0["event"]["text"].string?.hasPrefix("org.gone") == true } == 0)
    #expect(held.count { $0["event"]["text"].string?.hasPrefix("org.kept") == true } == 300)
  }
}

/// The root of the repository.
private enum Tree {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
}
