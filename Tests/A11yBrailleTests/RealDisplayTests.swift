// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// The program between a real bus and a real BRLTTY, with a display that has no hardware.
@Suite(
  .enabled(if: BRLTTY.isWanted, "brltty is not installed"),
  .serialized,
  .timeLimit(.minutes(hangs))
)
struct RealDisplayTests {
  private static let program = DaemonProcess.built("a11y-braille")
  private static let showing = "a11y-braille: showing on a display of 40 cells"

  private func start(
    _ daemon: RunningDaemon,
    _ brltty: BRLTTY,
    _ settings: String = "[braille]\nshortest = \"1 s\"\nms_per_character = 10\n"
  ) throws -> DaemonProcess {
    let file = daemon.directory("braille.toml")
    try Data(settings.utf8).write(to: URL(filePath: file))
    return try DaemonProcess(
      ["--socket", daemon.socket, "--config", file],
      of: Self.program,
      environment: brltty.environment
    )
  }

  /// Waits until the program has begun to listen to the bus, for the first time or once more.
  private func listens(_ daemon: RunningDaemon, times: Int = 1) throws {
    let watcher = try daemon.connect()
    try watcher.subscribe(#","from":"start","filter":{"types":["client"]}"#)
    var count = 0
    while count < times {
      let event = try watcher.answer()["event"]
      if event["app"].string == "a11y-braille", event["state"].string == "listening" { count += 1 }
    }
  }

  /// A voice, without which the bus delivers nothing, and which says nothing.
  private func voice(_ daemon: RunningDaemon) throws -> RawClient {
    let voice = try daemon.connect()
    try voice.hello("voice", role: "reader")
    try voice.subscribe(#","filter":{"types":["deliver"]}"#)
    return voice
  }

  private func say(_ text: String, _ fields: String = "", on app: RawClient) throws -> Int64 {
    try app.publishAccepted(#"{"type":"announcement","text":"\#(text)"\#(fields)}"#)
  }

  @Test func `a delivery is shown, turned, gone back to, and makes room again`() throws {
    let (daemon, brltty) = (try RunningDaemon(), try BRLTTY())
    let display = try brltty.plug(cells: 40)
    let program = try start(daemon, brltty, "[braille]\nshortest = \"3000 s\"\n")
    _ = try program.line(beginning: Self.showing)
    try listens(daemon)
    let (voice, app) = (try voice(daemon), try daemon.connect())

    _ = try say("Grüße: the contacts of your address book have been deleted", on: app)
    try display.shows("Grüße: the contacts of your address book")
    try display.begins(with: "12457|")
    try display.press("FWINRT")
    try display.shows("have been deleted")
    try display.press("FWINLT")
    try display.shows("Grüße: the contacts of your address book")
    try display.press("FWINRT")
    try display.shows("have been deleted")
    try display.press("FWINRT")
    try display.isGivenBack()

    _ = try say("Saved", on: app)
    try display.shows("Saved")
    try display.shows("Grüße: the contacts of your address book", pressing: "FWINLT")
    withExtendedLifetime((voice, program)) {}
  }

  @Test func `after its time a message makes room by itself`() throws {
    let (daemon, brltty) = (try RunningDaemon(), try BRLTTY())
    let display = try brltty.plug(cells: 40)
    let program = try start(daemon, brltty)
    _ = try program.line(beginning: Self.showing)
    try listens(daemon)
    let (voice, app) = (try voice(daemon), try daemon.connect())

    _ = try say("Saved", on: app)
    try display.shows("Saved")
    try display.isGivenBack()
    withExtendedLifetime((voice, program)) {}
  }

  @Test func `a withdrawn message leaves the display`() throws {
    let (daemon, brltty) = (try RunningDaemon(), try BRLTTY())
    let display = try brltty.plug(cells: 40)
    let program = try start(daemon, brltty, "[braille]\nshortest = \"3000 s\"\n")
    _ = try program.line(beginning: Self.showing)
    try listens(daemon)
    let (voice, app) = (try voice(daemon), try daemon.connect())

    let call = try say("Incoming call", on: app)
    try display.shows("Incoming call")
    try app.publishAccepted(#"{"type":"cancel","of":\#(call)}"#)
    try display.isGivenBack()
    withExtendedLifetime((voice, program)) {}
  }

  @Test func `a sensitive text is on the display alone`() throws {
    let (daemon, brltty) = (try RunningDaemon(), try BRLTTY())
    let display = try brltty.plug(cells: 40)
    let program = try start(daemon, brltty)
    _ = try program.line(beginning: Self.showing)
    try listens(daemon)
    let (voice, app) = (try voice(daemon), try daemon.connect())

    _ = try say("Your code is 98110", #","sensitive":true"#, on: app)
    try display.shows("Your code is 98110")
    try display.isGivenBack()
    program.send(SIGTERM)
    #expect(try program.end() == .exited(0))
    #expect(!program.said.contains("98110"))
    #expect(!(try daemon.linesOnDisk().joined().contains("98110")))
    withExtendedLifetime(voice) {}
  }

  @Test func `displays and BRLTTY may come and go`() throws {
    let (daemon, brltty) = (try RunningDaemon(), try BRLTTY())
    let program = try start(daemon, brltty)
    _ = try program.line(containing: "no braille display: BRLTTY has none")
    do {
      let display = try brltty.plug(cells: 40)
      _ = try program.line(beginning: Self.showing)
      try listens(daemon)
      try display.isGivenBack()
    }
    brltty.kill()
    _ = try program.line(containing: "no braille display: BRLTTY cannot be reached")
    try brltty.start()
    let display = try brltty.plug(cells: 20)
    _ = try program.line(beginning: "a11y-braille: showing on a display of 20 cells")
    try listens(daemon, times: 2)

    let (voice, app) = (try voice(daemon), try daemon.connect())
    _ = try say("Contacts have been deleted", on: app)
    try display.shows("Contacts have been")
    withExtendedLifetime((voice, program)) {}
  }

  @Test func `a text that comes while BRLTTY comes back is shown`() throws {
    let (daemon, brltty) = (try RunningDaemon(), try BRLTTY())
    let first = try brltty.plug(cells: 40)
    let program = try start(daemon, brltty, "[braille]\nshortest = \"3000 s\"\n")
    _ = try program.line(beginning: Self.showing)
    try listens(daemon)
    let (voice, app) = (try voice(daemon), try daemon.connect())
    let watcher = try daemon.connect()
    try watcher.subscribe(#","from":"start","filter":{"types":["client"]}"#)
    _ = try say("Before", on: app)
    try first.shows("Before")
    brltty.kill()
    _ = try program.line(containing: "no braille display: BRLTTY cannot be reached")
    while try watcher.answer()["event"]["state"].string != "unsubscribed" {}

    _ = try say("Saved", #","priority":"high""#, on: app)
    try brltty.start()
    let second = try brltty.plug(cells: 20)

    try second.shows("Saved")
    withExtendedLifetime((voice, program)) {}
  }

  @Test func `without a display the program listens to nothing`() throws {
    let (daemon, brltty) = (try RunningDaemon(), try BRLTTY())
    let watcher = try daemon.connect()
    try watcher.subscribe(#","filter":{"types":["client"]}"#)
    let program = try start(daemon, brltty)
    func states(until state: String) throws -> [String] {
      var states: [String] = []
      while states.last != state {
        let event = try watcher.answer()["event"]
        if event["app"].string == "a11y-braille", let state = event["state"].string {
          states.append(state)
        }
      }
      return states
    }

    #expect(try states(until: "joined") == ["joined"])
    let display = try brltty.plug(cells: 40)
    #expect(try states(until: "listening") == ["listening"])
    brltty.kill()
    #expect(try states(until: "unsubscribed") == ["unsubscribed"])
    withExtendedLifetime((display, program)) {}
  }

  @Test func `the bus may come and go, too`() throws {
    let (daemon, brltty) = (try RunningDaemon(), try BRLTTY())
    let display = try brltty.plug(cells: 40)
    let program = try start(daemon, brltty)
    _ = try program.line(beginning: Self.showing)
    try listens(daemon)
    try daemon.stop()
    _ = try program.line(beginning: "a11y-braille: waiting for the bus at \(daemon.socket); ")
    try daemon.start()

    let (voice, app) = (try voice(daemon), try daemon.connect())
    try listens(daemon, times: 2)
    _ = try say("Saved", on: app)
    try display.shows("Saved")
    withExtendedLifetime((voice, program)) {}
  }

  @Test func `the program tells when BRLTTY hangs, goes on after it, and ends meanwhile`() throws {
    let (daemon, brltty) = (try RunningDaemon(), try BRLTTY())
    let display = try brltty.plug(cells: 40)
    let program = try start(daemon, brltty, "[braille]\nshortest = \"3000 s\"\n")
    _ = try program.line(beginning: Self.showing)
    try listens(daemon)
    let (voice, app) = (try voice(daemon), try daemon.connect())
    brltty.hang()
    _ = try say("Saved", on: app)
    _ = try program.line(containing: "no braille display: BRLTTY does not answer")
    brltty.goOn()
    try display.shows("Saved")

    brltty.hang()
    _ = try say("Ended", #","priority":"high""#, on: app)
    let start = ContinuousClock.now
    program.send(SIGTERM)
    #expect(try program.end() == .exited(0))
    #expect(ContinuousClock.now - start < .seconds(2))
    brltty.goOn()
    try display.isGivenBack()
    withExtendedLifetime(voice) {}
  }

  @Test func `SIGHUP takes settings over, and mistakes are told`() throws {
    let (daemon, brltty) = (try RunningDaemon(), try BRLTTY())
    let program = try start(daemon, brltty)
    _ = try program.line(containing: "no braille display")

    program.send(SIGHUP)
    _ = try program.line(containing: "The settings were read again.")
    let file = daemon.directory("braille.toml")
    try Data("[braille]\nshortest = true\n".utf8).write(to: URL(filePath: file))
    program.send(SIGHUP)
    let line = try program.line(containing: "Settings are kept as they were:")
    #expect(line.contains("braille.shortest: expected a time"))
  }

  @Test func `the program needs neither a bus nor BRLTTY to run and to end`() throws {
    let directory = try ScratchDirectory()
    let program = try DaemonProcess(
      ["--socket", directory("bus.sock")],
      of: Self.program,
      environment: ["BRLAPI_HOST": "127.0.0.1:61000", "BRLAPI_AUTH": "none"]
    )
    let line = try program.line(containing: "no braille display: BRLTTY cannot be reached")
    #expect(line.contains("waiting for the bus at \(directory("bus.sock"))"))

    program.send(SIGTERM)
    #expect(try program.end() == .exited(0))
  }

  @Test func `the command line is explained`() throws {
    let help = try DaemonProcess(["--help"], of: Self.program)
    #expect(try help.end() == .exited(0))
    #expect(help.said.contains("--config FILE") && help.said.contains("BRLAPI_HOST"))

    let mistake = try DaemonProcess(["--colour"], of: Self.program)
    #expect(try mistake.end() == .exited(64))
  }
}
