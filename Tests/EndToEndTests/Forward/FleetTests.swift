// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// Questions to an engine about the machines whose logs it has.
@Suite(.timeLimit(.minutes(hangs)), .fleet)
struct FleetTests {
  static let kinds = ForwardTests.kinds

  private func ctl(_ arguments: [String]) -> Command {
    Command(SpeechTools.built("a11yctl"), arguments)
  }

  private func fleet(_ rig: ForwardRig, _ words: String...) -> Command {
    ctl(["fleet"] + words + ["--from", rig.engine.address])
  }

  @Test(arguments: kinds)
  func `a machine's log reads and explains there as it does here`(
    kind: EngineServer.Kind
  ) throws {
    let rig = try ForwardRig(kind)
    try rig.announce(40)
    // Without a reader an announcement ends behind its wait for one.
    try waitUntil("the ends") {
      try rig.logged().count { $0.contains(#""type":"outcome""#) } == 40
    }
    try rig.expectWhole("the log")
    let here = ["--log", rig.daemon.state]

    let seq = try #require(
      try rig.logged().map { try JSON($0) }.last { $0["event"]["type"] == "outcome" }?["event"][
        "of"
      ]
      .integer
    )
    for (there, local) in [
      (fleet(rig, "cat", "m-1", "--json"), ["log", "cat", "--json"]),
      (fleet(rig, "cat", "m-1", "--seq"), ["log", "cat", "--seq"]),
      (fleet(rig, "cat", "m-1", "--from", "\(seq)"), ["log", "cat", "--from", "\(seq)"]),
      (fleet(rig, "cat", "m-1", "--since", "1 hour"), ["log", "cat", "--since", "1 hour"]),
      (fleet(rig, "why", "m-1"), ["why"]),
      (fleet(rig, "why", "m-1", "\(seq)"), ["explain", "\(seq)"]),
      (fleet(rig, "why", "m-1", "\(seq)", "--json"), ["explain", "\(seq)", "--json"]),
    ] {
      let answer = try there.output()
      #expect(answer == (try ctl(local + here).output()), "\(local)")
      #expect(!answer.isEmpty)
    }
  }

  @Test(arguments: kinds)
  func `machines are listed, counted, and named where no reader is there`(
    kind: EngineServer.Kind
  ) throws {
    let rig = try ForwardRig(kind)
    let other = try DaemonProcess(
      ["--socket", rig.daemon.socket, "--to", rig.engine.address, "--machine", "m-2", "--all"],
      of: SpeechTools.built("a11y-forward")
    )
    try rig.announce(20)
    try waitUntil("ends") {
      try rig.logged().count { $0.contains(#""result":"undeliverable""#) } == 20
    }
    try rig.expectWhole("the first machine")
    try waitUntil("the second; it said: \(other.said)") {
      try rig.engine.stored("m-2").map(\.line) == rig.logged()
    }

    let machines = try fleet(rig, "machines").output().split(separator: "\n")
    #expect(machines.count == 3 && machines.last == "2 machines.")
    #expect(machines.contains { $0.hasPrefix("m-1: the last entry is ") })
    let apps = try fleet(rig, "apps").output().split(separator: "\n")
    #expect(
      apps.first?.hasPrefix("org.x: 40 events, 0 heard, 40 not heard; on 2 machines, most on m-")
        == true
    )
    let quiet = try fleet(rig, "quiet").run()
    #expect(quiet.status == 1)
    #expect(
      quiet.output == """
        m-1: no screen reader is connected; 20 of 20 texts were not heard.
        m-2: no screen reader is connected; 20 of 20 texts were not heard.
        2 of 2 machines should be looked at.
        """
    )

    let reader = try rig.daemon.connect()
    try reader.hello("reader", role: "reader")
    try reader.subscribe(#","filter":{"types":["deliver","silence"]}"#)
    try rig.expectWhole("the reader")
    let heard = try fleet(rig, "quiet", "--unheard", "100").output()
    #expect(heard == "All is well on 2 machines.")
  }

  @Test(arguments: kinds)
  func `an idle machine lives, and one that is off does not`(kind: EngineServer.Kind) throws {
    let rig = try ForwardRig(kind, ["--all", "--heartbeat", "1"])
    let reader = try rig.daemon.connect()
    try reader.hello("reader", role: "reader")
    try reader.subscribe(#","filter":{"types":["deliver","silence"]}"#)
    try rig.expectWhole("the reader")
    // The last entry is older than the bound, and the machine still lives. A forwarder that its
    // busy engine has not answered connects anew, which is an entry, but a sign of life is none.
    var (machines, before) = ("", [String]())
    let life = "a machine that lives without entries"
    try waitUntil("\(life); \(machines) \(rig.forwarder.said)", within: .seconds(60)) {
      machines = try fleet(rig, "machines").run().output
      let age = machines.firstMatch(of: /entry is ([0-9]+), ([0-9]+) seconds ago/)
      guard let age, let seconds = Int(age.2), seconds >= 4 else { return false }
      before = try rig.logged()
      guard before.count == Int(age.1) else { return false }
      let quiet = try fleet(rig, "quiet", "--silent", "3 s").run()
      return quiet == (0, "All is well on 1 machine.")
    }
    #expect(try fleet(rig, "machines").output().contains("; the last sign of life, "))
    // Signs are no entries, neither here nor there.
    #expect(try rig.logged() == before)
    #expect(try rig.stored() == before)

    rig.forwarder.kill()

    try waitUntil("silence") {
      try fleet(rig, "quiet", "--silent", "3 s").run().output
        .hasPrefix("m-1: no sign of life for ")
    }
  }

  @Test(arguments: kinds)
  func `a machine that gives no signs of life is judged by its entries`(
    kind: EngineServer.Kind
  ) throws {
    let rig = try ForwardRig(kind, ["--all", "--heartbeat", "0"])
    try rig.announce(1)
    try rig.expectWhole("the log")
    #expect(try fleet(rig, "machines").output().contains("sign of life") == false)
    try waitUntil("silence") {
      try fleet(rig, "quiet", "--silent", "2 s").run().output.hasPrefix("m-1: no entry for ")
    }
  }

  @Test(arguments: kinds)
  func `entries that are gone are told with the reason`(kind: EngineServer.Kind) throws {
    let rig = try ForwardRig(
      kind,
      config: "[log]\nsegment_bytes = 65536\nretain_bytes = 262144\n"
    )
    try rig.announce(20, as: "org.gone")
    try rig.expectWhole("before")
    let gone = try #require(
      try rig.logged().map { try JSON($0) }.first { $0["app"] == "org.gone" }?["seq"].integer
    )
    try rig.forget("org.gone")
    try rig.expectWhole("after forgetting")
    #expect(
      try fleet(rig, "why", "m-1", "\(gone)").run()
        == (
          65,
          "a11yctl: Entry \(gone) of m-1 is not in the engine: "
            + "it was forgotten, or it was not sent."
        )
    )

    rig.forwarder.kill()
    try rig.announce(3_000)
    try waitUntil("retention") { try rig.logged().first?.hasPrefix("{\"seq\":1,") == false }
    try rig.startForwarder()
    try waitUntil("the last entry") { try rig.stored().last == rig.logged().last }
    // Retention may go on meanwhile, so that the engine alone tells where the gap ends.
    let gap = try #require(try rig.stored().map { try JSON($0) }.first { $0["mark"] == "gap" })
    let last = try #require(gap["to"].integer)

    let missing = try fleet(rig, "why", "m-1", "\(last)").run()
    #expect(missing.status == 65)
    #expect(
      missing.output.hasPrefix("a11yctl: Entry \(last) of m-1 is in a gap: entries ")
        && missing.output.hasSuffix("\(last) are missing, by retention.")
    )
    #expect(try fleet(rig, "cat", "m-1").output().contains("are missing: retention."))
  }

  @Test(arguments: kinds)
  func `the newest life of a machine is the one that is asked about`(
    kind: EngineServer.Kind
  ) throws {
    let rig = try ForwardRig(kind)
    try rig.announce(60, as: "org.first")
    try rig.expectWhole("the first life")
    rig.forwarder.kill()
    try rig.daemon.stop()
    try FileManager.default.removeItem(atPath: rig.daemon.state)
    try rig.daemon.start()
    try rig.announce(30, as: "org.second")
    try rig.startForwarder()
    try waitUntil("the second life") { try rig.stored().last == rig.logged().last }
    let lines = try rig.logged().map { try JSON($0) }
    let seq = try #require(lines.first { $0["app"] == "org.second" }?["seq"].integer)

    let why = try JSON(fleet(rig, "why", "m-1", "\(seq)", "--json").output())
    #expect(why["entry"]["app"] == "org.second")
    let cat = try fleet(rig, "cat", "m-1").output()
    #expect(cat.contains("org.first 7") && cat.contains("org.second 7"))
    let (process, words) = try ctl(
      ["fleet", "tail", "m-1", "--count", "1000", "--json", "--from", rig.engine.address]
    ).beginReading()
    defer { process.terminate() }
    #expect(try words.next().map { try JSON($0)["seq"].integer } == 1)
  }

  @Test(arguments: kinds)
  func `a tail goes on with what comes`(kind: EngineServer.Kind) throws {
    let rig = try ForwardRig(kind)
    try rig.announce(30)
    try rig.expectWhole("before")
    let newest = try #require(try rig.logged().last)

    let (process, lines) = try ctl(
      ["fleet", "tail", "m-1", "--count", "1", "--json", "--from", rig.engine.address]
    ).beginReading()
    defer { process.terminate() }

    #expect(lines.next() == newest)
    try rig.announce(1, as: "org.later")
    #expect(lines.first { $0.contains("org.later 0") } != nil)
  }

  @Test func `an engine that is away is told once, with its own exit code`() throws {
    for address in ["nats://127.0.0.1:1", "redis://127.0.0.1:1"] {
      let answer = try ctl(["fleet", "machines", "--from", address]).run()
      #expect(answer.status == 69)
      #expect(answer.output.hasPrefix("a11y-forward: \(address) cannot be read: "))
      #expect(!answer.output.contains("\n"))
    }
  }

  @Test(arguments: kinds)
  func `an engine without machines is told in words`(kind: EngineServer.Kind) throws {
    let engine = try EngineServer(kind)
    let quiet = try ctl(["fleet", "quiet", "--from", engine.address]).run()
    switch kind {
    case .nats:
      #expect(quiet.status == 69)
      #expect(
        quiet.output.hasSuffix(
          ": it has no stream A11YD, which the first machine that sends makes."
        )
      )
    case .redis: #expect(quiet == (0, "No machine has sent anything."))
    }
  }

  @Test func `a second machine is refused`() throws {
    for verb in ["cat", "tail"] {
      let answer = try ctl(["fleet", verb, "m", "n", "--from", "redis://127.0.0.1:1"]).run()
      #expect(answer == (64, "a11yctl: n is not expected here."), "\(verb)")
    }
  }

  @Test func `wrong words for reading are refused`() throws {
    for words in [
      ["--read", "a b"], ["--read", "*", "--follow"], ["--read", "m", "--newest"],
      ["--newest"], ["--read", "m", "--last", "1", "--since", "2"],
      ["--read", "m", "--since", "x"], ["--read", "m", "--alive"], ["--alive"],
      ["--read", "*", "--alive", "--newest"],
      ["--read", "*", "--last", "5"],
    ] {
      let process = try DaemonProcess(words, of: SpeechTools.built("a11y-forward"))
      #expect(try process.end() == .exited(64), "\(words)")
    }
  }
}
