// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Foundation
import Testing

/// A session with a screen, a sound server, a speech-dispatcher, a bus and a mouth, in which a
/// real Orca may be started and ended; a tap hears what Orca has spoken.
final class OrcaRig {
  let daemon: RunningDaemon
  let session: DBusDaemon
  let tap: SsipTap
  private(set) var log: SpeechLog
  private(set) var mouth: DaemonProcess
  private(set) var orca: DaemonProcess?
  private let screen: ScreenServer
  private let environment: [String: String]
  private var others: [DaemonProcess] = []

  var directory: ScratchDirectory { daemon.directory }

  /// Whether the tests of a desktop are wanted: they need a screen, and minutes.
  static let isWanted = ProcessInfo.processInfo.environment["A11Y_DESKTOP"] == "1"

  private static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "a11y-atspi").path
  static let orcaProgram = "/usr/bin/orca"

  /// Starts everything but Orca, which is led to the door where there is one.
  init(_ options: [String] = ["--mouth"], hasDoor: Bool = false) throws {
    daemon = try RunningDaemon()
    let directory = daemon.directory
    var variables = try Self.home(in: directory)
    variables["SPEECHD_ADDRESS"] = "unix_socket:\(directory("tap.sock"))"

    screen = try ScreenServer("320x240x8", variables)
    variables = screen.environment
    others.append(try SpeechRig.startSound(in: directory, variables))
    others.append(try SpeechRig.startDispatcher(in: directory, variables))
    tap = try SsipTap(at: directory("tap.sock"), before: directory("spd.sock"))
    if hasDoor {
      let tap = directory("tap.sock")
      try Data().write(to: URL(filePath: directory("speech.toml")))
      others.append(try SpeechRig.startSpeech(in: directory, variables, tap))
      others.append(try SpeechRig.startDoor(in: directory, variables, tap))
      variables["SPEECHD_ADDRESS"] = "unix_socket:\(directory("ssip.sock"))"
    }
    session = try DBusDaemon(in: directory, environment: variables)
    variables["DBUS_SESSION_BUS_ADDRESS"] = session.address
    environment = variables
    log = try SpeechLog(daemon.socket)
    try Data().write(to: URL(filePath: directory("atspi.toml")))
    mouth = try Self.startMouth(options, in: directory, variables)
  }

  deinit { for process in RigProcess.all(of: directory) { kill(process.id, SIGKILL) } }

  /// The variables of a session with sound, in which Orca finds no other one.
  static func home(in directory: ScratchDirectory) throws -> [String: String] {
    var variables = try RunningDaemon.home(in: directory)
    variables["PULSE_SERVER"] = "unix:\(directory("p.sock"))"
    variables["PATH"] = "\(directory("bin")):/usr/bin:/bin"
    // Orca looks for other Orcas of the user in all sessions, and gives way to them.
    try FileManager.default.createDirectory(
      atPath: directory("bin"),
      withIntermediateDirectories: true
    )
    let pgrep = directory("bin/pgrep")
    try Data("#!/bin/sh\nexit 1\n".utf8).write(to: URL(filePath: pgrep))
    chmod(pgrep, 0o755)
    return variables
  }

  private static func startMouth(
    _ options: [String],
    in directory: ScratchDirectory,
    _ environment: [String: String]
  ) throws -> DaemonProcess {
    try DaemonProcess(
      options + ["--socket", directory("bus.sock"), "--config", directory("atspi.toml")],
      of: program,
      environment: environment
    )
  }

  // MARK: Orca

  /// Starts Orca, and waits until the mouth has the word.
  func startOrca() throws {
    let seq = try daemon.connect().last()
    let orca = try DaemonProcess([], of: Self.orcaProgram, environment: environment)
    self.orca = orca
    do {
      _ = try mouth.line(containing: "speaking through Orca", within: .seconds(60))
    } catch {
      orca.send(SIGKILL)
      _ = try orca.end()
      throw Missing("the mouth: \(error); Orca said: \(orca.said)")
    }
    try log.wait(for: "the mouth", from: seq + 1) { line in
      line.event["type"] == "client" && line.event["app"] == "a11y-atspi"
        && line.event["state"] == "listening"
    }
  }

  /// Starts Orca, and waits until it has spoken through the door and the mouth has stepped back.
  func startOrcaAtDoor() throws {
    orca = try DaemonProcess([], of: Self.orcaProgram, environment: environment)
    try waitUntil("Orca's first words", within: .seconds(60)) {
      try count(of: "screen reader on") > 0
    }
    try log.wait(for: "the mouth") { line in
      line.event["type"] == "client" && line.event["app"] == "a11y-atspi"
        && line.event["state"] == "listening" && line.event["speech"] == 0
    }
  }

  /// How often a text that begins like this was spoken to its end.
  func count(of beginning: String) throws -> Int {
    try tap.spoken.filter(\.isWhole).map { try SpokenWords.of($0.markup).lowercased() }
      .count { $0.hasPrefix(beginning.lowercased()) }
  }

  /// Ends Orca without its knowledge, and waits until the mouth has left.
  func killOrca() throws {
    let seq = try daemon.connect().last()
    orca?.kill()
    try log.wait(for: "the end of the mouth", from: seq + 1) { line in
      line.event["type"] == "client" && line.event["app"] == "a11y-atspi"
        && line.event["state"] == "unsubscribed"
    }
  }

  /// The texts that Orca has had spoken, in order, without its own words at its start.
  func spoken() throws -> [String] {
    try tap.spoken.map { try SpokenWords.of($0.markup) }
      .filter { !$0.lowercased().hasPrefix("screen reader on") }
      // Orca ends a text that has no end.
      .map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 }
  }

  // MARK: The user

  /// Publishes a text as an app of its own, so that no rate holds it.
  @discardableResult
  func announce(_ text: String, _ fields: String = "") throws -> Int64 {
    let client = try daemon.connect()
    try client.hello(UUID().uuidString)
    return try client.publishAccepted(#"{"type":"announcement","text":"\#(text)"\#(fields)}"#)
  }

  /// Starts the daemon once more on its log.
  func restartDaemon() throws {
    daemon.kill()
    try daemon.start()
    log = try SpeechLog(daemon.socket)
  }
}

extension OrcaRig {
  /// Sets the desktop's wish for a screen reader, as its settings do.
  func setScreenReader(_ isWanted: Bool) throws {
    let words = [
      "--address=\(session.address)", "set-property", "org.a11y.Bus", "/org/a11y/bus",
      "org.a11y.Status", "ScreenReaderEnabled", "b", "\(isWanted)",
    ]
    let result = try Command("/usr/bin/busctl", words).run()
    guard result.status == 0 else { throw Missing(result.output) }
  }
}
