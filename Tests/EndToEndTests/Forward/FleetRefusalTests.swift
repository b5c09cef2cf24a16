// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// Servers of Redis that take nothing for now.
@Suite(.timeLimit(.minutes(hangs)), .fleet, .redis)
struct FleetRefusalTests {
  private func startForwarder(_ daemon: RunningDaemon, _ ports: [Int]) throws -> DaemonProcess {
    let servers = ports.map { "127.0.0.1:\($0)" }.joined(separator: ",")
    return try DaemonProcess(
      ["--socket", daemon.socket, "--to", "redis://\(servers)", "--machine", "m-1", "--all"],
      of: SpeechTools.built("a11y-forward"),
      environment: RunningDaemon.home(in: daemon.directory)
    )
  }

  @Test(arguments: [
    "TRYAGAIN Multiple keys request during rehashing of slot",
    "CLUSTERDOWN Hash slot not served", "MASTERDOWN Link with MASTER is down",
    "BUSY Redis is busy running a script", "MISCONF Errors writing to the AOF file",
    "MOVED 1 127.0.0.1:1", "MOVED somewhere",
  ])
  func `a server that refuses is told, and left for the next one`(refusal: String) throws {
    let daemon = try RunningDaemon()
    let refusing = try RefusingServer(refusal)
    let engine = try EngineServer(.redis)
    let forwarder = try startForwarder(daemon, [refusing.port, engine.port])

    _ = try forwarder.line(containing: "waiting for the engine")
    _ = try forwarder.line(containing: "sending the log")

    try waitUntil("the log") { try !engine.stored("m-1").isEmpty }
  }

  @Test func `a replica takes nothing, and its master all`() throws {
    let daemon = try RunningDaemon()
    let master = try EngineServer(.redis)
    let replica = try EngineServer(.redis, ["--replicaof", "127.0.0.1", "\(master.port)"])
    let forwarder = try startForwarder(daemon, [replica.port, master.port])

    _ = try forwarder.line(containing: "READONLY You can't write against a read only replica")

    try waitUntil("the log") { try !master.stored("m-1").isEmpty }
  }

  @Test func `a server that is reading its own files is waited for`() throws {
    let slowly = ["--key-load-delay", "500"]
    let rig = try ForwardRig(.redis, engine: slowly)
    try rig.announce(2_000)
    try rig.expectWhole("before")
    rig.engine.kill()
    try rig.announce(100, as: "org.meanwhile")
    try rig.engine.start()

    _ = try rig.forwarder.line(containing: "LOADING Redis is loading the dataset in memory")
    try rig.expectWhole("with all files read")
  }

  @Test(arguments: ["DEL", "XTRIM"])
  func `entries that somebody takes from the engine are a matter of the engine`(
    order: String
  ) throws {
    let rig = try ForwardRig(.redis)
    try rig.announce(50, as: "org.before")
    try rig.expectWhole("before")
    let key = RedisTalk.key(ForwardRig.machine)
    let talk = try RedisTalk(port: rig.engine.port)
    let words = order == "DEL" ? ["DEL", key] : ["XTRIM", key, "MAXLEN", "0"]
    _ = try talk.ask(words)
    try rig.announce(50, as: "org.after")

    // A key that is gone is made anew; one that was only trimmed goes on.
    if order == "DEL" { return try rig.expectWhole("behind the deletion") }
    try waitUntil("the newest") { try rig.stored().last == rig.logged().last }
    #expect(try rig.stored().allSatisfy { !$0.contains("org.before 4") })
  }
}
