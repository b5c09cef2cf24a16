// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// The part of the log that leaves, and the program's manners.
@Suite(.timeLimit(.minutes(hangs)), .fleet)
struct ForwardShareTests {
  static let kinds = ForwardTests.kinds

  @Test(arguments: kinds)
  func `without texts no word leaves, and the seals are right`(kind: EngineServer.Kind) throws {
    let rig = try ForwardRig(kind, ["--without-texts"])
    try rig.announce(30, as: "org.private")
    try waitUntil("all lines") { try rig.stored().count == rig.logged().count }

    for (sent, logged) in zip(try rig.stored(), try rig.logged()) {
      let (sent, logged) = (try JSON(sent), try JSON(logged))
      #expect(sent["seq"] == logged["seq"])
      #expect(sent["event"]["type"] == logged["event"]["type"])
      #expect(!sent["event"]["text"].isThere && !sent["event"]["speak"].isThere)
    }
    for line in try rig.stored() {
      let end = try #require(line.range(of: ",\"crc\":\"", options: .backwards))
      let bytes = Array(line[..<end.lowerBound].utf8)
      #expect(line.hasSuffix(",\"crc\":\"\(Checksum.text(of: bytes))\"}"))
    }
  }

  @Test(arguments: kinds)
  func `a choice of apps and types leaves alone, and forgetting follows it`(
    kind: EngineServer.Kind
  ) throws {
    let rig = try ForwardRig(kind, ["--all", "--apps", "org.b", "--types", "announcement"])
    try rig.announce(20, as: "org.a")
    try rig.announce(20, as: "org.b")
    func chosen() throws -> [String] {
      try rig.logged().filter {
        $0.contains(#""text":"org.b"#) || $0.contains(#""type":"opened""#)
          || $0.contains(#""type":"forgot""#)
      }
    }
    _ = try rig.forwarder.line(
      containing: "as m-1, only entries of type announcement and of org.b"
    )
    try waitUntil("the choice") { try rig.stored() == chosen() && chosen().count == 21 }
    rig.forwarder.kill()
    try rig.announce(20, as: "org.b")
    try rig.startForwarder()
    try waitUntil("what came meanwhile") { try rig.stored() == chosen() && chosen().count == 41 }

    try rig.forget("org.b")

    try waitUntil("forgetting") { try rig.stored() == chosen() && chosen().count == 2 }
  }

  @Test(arguments: kinds)
  func `nothing leaves unless it is asked for`(kind: EngineServer.Kind) throws {
    let rig = try ForwardRig(kind, [])
    try rig.announce(5)

    _ = try rig.forwarder.line(containing: "nothing leaves this machine")
    #expect(try rig.stored().isEmpty)
    #expect(rig.forwarder.said.contains("sending") == false)
  }

  @Test(arguments: kinds)
  func `another life of the machine is followed, and told`(kind: EngineServer.Kind) throws {
    let rig = try ForwardRig(kind)
    try rig.announce(20)
    try rig.expectWhole("the first life")
    let before = try rig.stored()
    rig.forwarder.kill()
    try rig.daemon.stop()
    try FileManager.default.removeItem(atPath: rig.daemon.state)
    try rig.daemon.start()
    try rig.announce(5)

    try rig.startForwarder()

    _ = try rig.forwarder.line(containing: "another life of this machine's log")
    try waitUntil("the second life") { try rig.stored() == before + rig.logged() }
  }

  @Test(arguments: kinds)
  func `a hung engine does not delay the end`(kind: EngineServer.Kind) throws {
    let rig = try ForwardRig(kind)
    try rig.announce(5)
    try rig.expectWhole("before")
    rig.engine.process.send(SIGSTOP)
    try rig.announce(500)

    let start = ContinuousClock.now
    rig.forwarder.send(SIGTERM)
    #expect(try rig.forwarder.end() == .exited(0))
    #expect(ContinuousClock.now - start < .seconds(2))
    rig.engine.process.send(SIGCONT)
  }

  @Test func `two machines share a stream`() throws {
    try #require(EngineServer.Kind.nats.obstacle == nil)
    let rig = try ForwardRig(.nats)
    let other = try DaemonProcess(
      ["--socket", rig.daemon.socket, "--to", rig.engine.address, "--machine", "m-2", "--all"],
      of: SpeechTools.built("a11y-forward")
    )
    for round in 0..<6 { try rig.announce(200, as: "org.round-\(round)") }

    try rig.expectWhole("the first")
    try waitUntil("the second; it said: \(other.said)") {
      try rig.engine.stored("m-2").map(\.line) == rig.logged()
    }
  }

  @Test func `a password comes from a private file alone`() throws {
    try #require(EngineServer.Kind.redis.obstacle == nil)
    let files = try ScratchDirectory()
    let file = files("forward.toml")
    let text = "[forward]\nsend = \"all\"\n[redis]\npassword = \"a b\"\n"
    try Data(text.utf8).write(to: URL(filePath: file))
    try #require(chmod(file, 0o600) == 0)
    let rig = try ForwardRig(.redis, ["--config", file], engine: ["--requirepass", "a b"])

    _ = try rig.forwarder.line(containing: "sending the log")
    rig.forwarder.kill()
    try #require(chmod(file, 0o640) == 0)
    try rig.startForwarder()

    _ = try rig.forwarder.line(containing: "passwords are left out: others may read the file")
    _ = try rig.forwarder.line(containing: "waiting for the engine")
    #expect(rig.forwarder.said.contains("a b") == false)
  }

  @Test func `a wrong command line is refused`() throws {
    for words in [
      ["--to", "http://x:1"], ["--machine", "a b"], ["--max-rate", "x"],
      ["--heartbeat", "86401"],
      ["--all", "--without-texts"], ["rest"],
    ] {
      let process = try DaemonProcess(words, of: SpeechTools.built("a11y-forward"))
      #expect(try process.end() == .exited(64), "\(words)")
    }
  }
}
