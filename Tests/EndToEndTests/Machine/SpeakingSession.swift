// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// A session of its own on a booted machine, with the packages, a voice and a log of some length.
final class SpeakingSession {
  let machine: BootedMachine

  init() throws {
    machine = try BootedMachine.ownBare()
    try DebianPackages.renew(on: machine)
    try machine.run("sh", "-c", DebianPackages.installation(of: "deb"))
    try machine.asTester("systemctl", "--user", "daemon-reload")
    try machine.asTester(
      "systemd-run",
      "--quiet",
      "--user",
      "--unit=sound",
      "pulseaudio",
      "-n",
      "--daemonize=no",
      "--exit-idle-time=-1",
      "-L",
      "module-null-sink sink_name=out",
      "-L",
      "module-native-protocol-unix"
    )
    try machine.asTester("systemctl", "--user", "enable", "--now", "a11yd.socket")
  }

  /// Starts the voice and other services of the packages, and waits for the voice.
  func start(_ others: String...) throws {
    let log = try SpeechLog(socket, from: cursor())
    let units = (["a11y-speech.service"] + others).joined(separator: " ")
    try machine.asTester("sh", "-c", "systemctl --user enable --now \(units)")
    try log.wait(for: "the voice") { line in
      line.event["app"] == "a11y-speech" && line.event["state"] == "listening"
    }
  }

  var socket: String { machine.testersSocket }
  var notes: SpokenNotes { SpokenNotes(on: machine) }

  /// The end of the log as it is now.
  func cursor() throws -> String { try RawClient(socket).subscribe() }

  /// Notes the end of the log; the answer reads from there on.
  func observe() throws -> () throws -> SpeechLog {
    let cursor = try cursor()
    return { [socket] in try SpeechLog(socket, from: cursor) }
  }

  /// Publishes until the log has that many entries.
  func fillLog(with entries: Int) throws {
    let client = try RawClient(socket)
    try client.hello("org.example.Past")
    let lines = (0..<1_000).map { number in
      #"{"id":\#(number),"op":"publish","event":{"type":"announcement","priority":"low","#
        + #""text":"Item \#(number) was added to the list of this day"}}"# + "\n"
    }
    let batch = Array(lines.joined().utf8)
    while try client.last() < entries { _ = try client.converse(batch, lines: lines.count) }
  }

  /// Has a text announced that waits for its turn, by an app of its own, so that no rate holds it.
  func say(_ text: String) throws -> (seq: Int64, text: String) {
    let client = try RawClient(socket)
    try client.hello(text)
    let event = #"{"type":"announcement","text":"\#(text)","queue":true,"ttl_ms":3600000}"#
    return (try client.publishAccepted(event), text)
  }

  /// The versions of the packages.
  func version() throws -> String {
    try machine.run("dpkg-query", "-W", "-f=${Version}", "a11yd", "a11y-readers")
  }

  /// The processes of the bus and of the voice.
  func processes() throws -> [String] {
    try ["a11yd.service", "a11y-speech.service"].map { try machine.property("MainPID", of: $0) }
  }
}
