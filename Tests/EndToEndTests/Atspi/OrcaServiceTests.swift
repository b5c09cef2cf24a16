// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import DBus
import Foundation
import Synchronization
import Testing

/// The mouth with the service of a later Orca, which is played.
@Suite(
  .timeLimit(.minutes(hangs)),
  .enabled(if: Bridge.obstacle == nil && Bridge.registryObstacle == nil, "no AT-SPI here")
)
struct OrcaServiceTests {
  /// The calls to an Orca that takes everything.
  private final class Calls: Sendable {
    private let all = Mutex<[String]>([])

    func add(_ call: DBusMessage) {
      let text = (try? call.values())?.first?.text ?? ""
      let module = call.path?.split(separator: "/").last.map(String.init) ?? ""
      all.withLock { $0.append("\(module) \(call.member ?? "") \(text)") }
    }

    var list: [String] { all.withLock { $0 } }
  }

  private static func orca(on bridge: Bridge, _ calls: Calls) throws -> DesktopProgram {
    try DesktopProgram(
      on: bridge.session.address,
      called: "org.gnome.Orca.Service",
      below: "/org/gnome/Orca/Service"
    ) { call, _ in
      calls.add(call)
      return .values([.boolean(true)])
    }
  }

  private static func outcome(of seq: Int64, in bridge: Bridge) throws -> JSON {
    while true {
      let event = try bridge.event("outcome").event
      if event["of"] == .integer(seq) { return event }
    }
  }

  @Test func `the service is handed each text, and told to stop for one that cuts`() throws {
    let bridge = try Bridge(["--mouth"])
    let calls = Calls()
    let orca = try Self.orca(on: bridge, calls)
    _ = try bridge.process.line(containing: "speaking through Orca, by its service")
    let app = try bridge.daemon.connect()
    try app.hello("app")

    let long = "A text of some length that is cut off by one that is more urgent than it is"
    let first = try app.publishAccepted(#"{"type":"announcement","text":"\#(long)"}"#)
    while try bridge.event("speech").event["state"] != "started" {}
    let second = try app.publishAccepted(
      #"{"type":"announcement","text":"Fire","priority":"high"}"#
    )

    #expect(try Self.outcome(of: second, in: bridge)["result"] == "heard")
    #expect(try Self.outcome(of: first, in: bridge)["result"] == "heard")
    let texts = calls.list
    #expect(texts.prefix(1) == ["Service PresentMessage \(long)"])
    #expect(texts.contains("SpeechManager ExecuteCommand InterruptSpeech"))
    // It has stopped, so it is offered once more.
    let presented = texts.filter { $0.contains("PresentMessage") }.map { $0.suffix(4) }
    #expect(presented == [long.suffix(4), "Fire", long.suffix(4)])
    withExtendedLifetime(orca) {}
  }

  @Test func `without Orca the mouth leaves, and the next reader has the word`() throws {
    let bridge = try Bridge(["--mouth"])
    let calls = Calls()
    var orca: DesktopProgram? = try Self.orca(on: bridge, calls)
    _ = try bridge.process.line(containing: "speaking through Orca, by its service")
    while try bridge.event("client").event["state"] != "listening" {}
    withExtendedLifetime(orca) {}

    orca = nil

    _ = try bridge.process.line(containing: "waiting for Orca")
    while try bridge.event("client").event["state"] != "unsubscribed" {}
  }

  @Test func `of two mouths one speaks, and the other takes its place`() throws {
    let bridge = try Bridge(["--mouth"])
    let calls = Calls()
    let orca = try Self.orca(on: bridge, calls)
    _ = try bridge.process.line(containing: "speaking through Orca, by its service")
    let second = try DaemonProcess(
      ["--mouth", "--socket", bridge.daemon.socket],
      of: SpeechTools.built("a11y-atspi"),
      environment: try RunningDaemon.home(in: bridge.daemon.directory).merging([
        "DBUS_SESSION_BUS_ADDRESS": bridge.session.address
      ]) { $1 }
    )
    _ = try second.line(containing: "leaving Orca to another mouth")

    bridge.process.send(SIGTERM)

    _ = try second.line(containing: "speaking through Orca, by its service")
    withExtendedLifetime(orca) {}
  }

  @Test func `a mouth and a second voice exclude each other`() throws {
    let words = ["--mouth", "--screen-reader-enabled"]
    let process = try DaemonProcess(words, of: SpeechTools.built("a11y-atspi"))

    _ = try process.line(containing: "would start a second voice")
    #expect(try process.end() == .exited(64))
  }
}
