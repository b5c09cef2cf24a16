// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Foundation
import Testing

/// A whole voice below one directory: sound server, bus, `a11y-speech`, and a speech-dispatcher
/// that `a11y-speech` or somebody else has started.
final class SpeechRig {
  enum Starter: String, CaseIterable, CustomTestStringConvertible {
    case itself
    case somebodyElse

    var testDescription: String { "speech-dispatcher started by \(rawValue)" }
  }

  let daemon: RunningDaemon
  private(set) var log: SpeechLog
  private(set) var speech: DaemonProcess
  /// The speech-dispatcher that somebody else has started.
  private(set) var dispatcher: DaemonProcess?
  private(set) var sound: DaemonProcess?
  let environment: [String: String]
  private let client: RawClient
  private let address: String?

  var directory: ScratchDirectory { daemon.directory }
  var settings: String { directory("speech.toml") }

  /// Starts everything; `tap` stands between `a11y-speech` and the other's speech-dispatcher.
  init(
    _ starter: Starter = .itself,
    settings: String = "",
    hasSound: Bool = true,
    tap: ((_ path: String, _ behind: String) throws -> Void)? = nil
  ) throws {
    daemon = try RunningDaemon()
    let directory = daemon.directory
    var variables = try RunningDaemon.home(in: directory)
    variables["PULSE_SERVER"] = "unix:\(directory("p.sock"))"
    environment = variables
    try Data(settings.utf8).write(to: URL(filePath: directory("speech.toml")))
    log = try SpeechLog(daemon.socket)
    client = try daemon.connect()
    try client.hello("seat")

    var address: String?
    if starter == .somebodyElse {
      if hasSound { sound = try Self.startSound(in: directory, variables) }
      dispatcher = try Self.startDispatcher(in: directory, variables)
      address = directory("spd.sock")
      if let tap {
        try tap(directory("tap.sock"), directory("spd.sock"))
        // By its file the process behind the tap is found.
        let files = FileManager.default
        try files.createSymbolicLink(
          atPath: directory("tap.sock.pid"),
          withDestinationPath: directory("spd.sock.pid")
        )
        address = directory("tap.sock")
      }
    } else if hasSound {
      sound = try Self.startSound(in: directory, variables)
    }
    self.address = address
    speech = try Self.startSpeech(in: directory, variables, address)
  }

  deinit { endAll() }

  /// Ends all processes of this rig, and only these.
  private func endAll() {
    for process in RigProcess.all(of: directory) { kill(process.id, SIGKILL) }
  }

  // MARK: Programs

  /// A sound server that leads nowhere.
  static func startSound(
    in directory: ScratchDirectory,
    _ environment: [String: String]
  ) throws -> DaemonProcess {
    let path = directory("p.sock")
    let process = try DaemonProcess(
      [
        "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no",
        "-L", "module-null-sink sink_name=out",
        "-L", "module-native-protocol-unix auth-anonymous=1 socket=\(path)",
      ],
      of: "/usr/bin/pulseaudio",
      environment: environment
    )
    try waitUntil("the sound server") { (try? UnixStream.connect(path: path)) != nil }
    return process
  }

  static func startDispatcher(
    in directory: ScratchDirectory,
    _ environment: [String: String]
  ) throws -> DaemonProcess {
    let (path, words) = (directory("spd.sock"), directory("spd"))
    try FileManager.default.createDirectory(atPath: words, withIntermediateDirectories: true)
    let process = try DaemonProcess(
      ["-s", "-t", "0", "-L", words, "-S", path, "-P", path + ".pid"],
      of: "/usr/bin/speech-dispatcher",
      environment: environment
    )
    try waitUntil("speech-dispatcher") { (try? UnixStream.connect(path: path)) != nil }
    return process
  }

  static func startSpeech(
    in directory: ScratchDirectory,
    _ environment: [String: String],
    _ address: String?
  ) throws -> DaemonProcess {
    var words = ["--socket", directory("bus.sock"), "--config", directory("speech.toml")]
    if let address { words += ["--speech-address", "unix_socket:\(address)"] }
    return try DaemonProcess(words, of: speechProgram, environment: environment)
  }

  /// A door at `ssip.sock`, with the speech-dispatcher at this address behind it.
  static func startDoor(
    in directory: ScratchDirectory,
    _ environment: [String: String],
    _ address: String
  ) throws -> DaemonProcess {
    let words = [
      "--socket", directory("bus.sock"), "--listen", "unix_socket:\(directory("ssip.sock"))",
      "--speech-address", "unix_socket:\(address)",
    ]
    let process = try DaemonProcess(
      words,
      of: SpeechTools.built("a11y-ssip"),
      environment: environment
    )
    _ = try process.line(containing: "speak through the bus")
    return process
  }

  /// The voice that `A11Y_SPEECH` names, else the one that was built with the tests.
  static let speechProgram =
    ProcessInfo.processInfo.environment["A11Y_SPEECH"] ?? SpeechTools.built("a11y-speech")

  /// Starts the sound server that was missing.
  func startSound() throws { sound = try Self.startSound(in: directory, environment) }

  /// Starts `a11y-speech` once more.
  func startSpeech() throws { speech = try Self.startSpeech(in: directory, environment, address) }

  /// Starts the daemon once more on its log.
  func restartDaemon() throws {
    daemon.kill()
    try daemon.start()
    log = try SpeechLog(daemon.socket)
  }

  // MARK: The user

  /// Waits until `a11y-speech` speaks for the bus.
  func joined(from seq: Int64 = 1, within patience: Duration = .seconds(20)) throws {
    let what = "the voice; it said: \(speech.said)"
    try log.wait(for: what, from: seq, within: patience) { line in
      line.event["type"] == "client" && line.event["app"] == "a11y-speech"
        && line.event["state"] == "listening"
    }
  }

  /// Publishes a text as an app of its own, so that no rate holds it.
  @discardableResult
  func announce(
    _ text: String,
    _ fields: String = "",
    app: String = UUID().uuidString
  ) throws
    -> Int64
  {
    let client = try daemon.connect()
    try client.hello(app)
    let quoted = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    return try client.publishAccepted(#"{"type":"announcement","text":\#(quoted)\#(fields)}"#)
  }

  @discardableResult
  func act(_ action: String) throws -> Int64 {
    let client = try daemon.connect()
    return try client.publishAccepted(#"{"type":"action","action":"\#(action)"}"#)
  }

  /// Has a text spoken, and returns when it has begun.
  func begin(_ text: String) throws -> SpeechLog.Line {
    let delivery = try log.delivery(of: announce(text))
    try log.report("started", on: delivery)
    return delivery
  }

  /// A text of several seconds.
  static let long =
    "This is a long announcement that goes on for several seconds, because it has many words to say"

  // MARK: Processes

  /// The synthesizer of this rig.
  func synthesizer() throws -> pid_t {
    try #require(
      RigProcess.all(of: directory).first { $0.name == "sd_espeak-ng" }?.id,
      "\(RigProcess.all(of: directory))"
    )
  }

  /// The speech-dispatcher of this rig.
  func speechDispatcher() throws -> pid_t {
    try #require(RigProcess.all(of: directory).first { $0.name == "speech-dispatch" }?.id)
  }

  /// The processes that must not outlive `a11y-speech`, where it has started them.
  var remainder: [RigProcess] {
    RigProcess.all(of: directory).filter {
      $0.name.hasPrefix("sd_") || $0.name == "speech-dispatch" || $0.name == "a11y-speech"
    }
  }

  /// Ends `a11y-speech` as a service manager does, and returns the time that it took.
  func terminate() throws -> Duration {
    let start = ContinuousClock.now
    speech.send(SIGTERM)
    let end = try speech.end()
    let time = ContinuousClock.now - start
    #expect(end == .exited(0), "\(speech.said)")
    return time
  }
}
