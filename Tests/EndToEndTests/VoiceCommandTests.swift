// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// The voice is set by a command, in files that people can read.
@Suite(.timeLimit(.minutes(hangs)))
struct VoiceCommandTests {
  private let daemon: RunningDaemon
  private let home: [String: String]

  init() throws {
    daemon = try RunningDaemon()
    home = try RunningDaemon.home(in: daemon.directory)
  }

  private func voice(_ words: String...) throws -> (status: Int32, output: String) {
    try Command(LogFiles.tool, ["voice"] + words, environment: home).run()
  }

  private var file: String { daemon.directory("config/a11yd/speech.toml") }

  private func settings() throws -> String { try String(contentsOfFile: file, encoding: .utf8) }

  @Test func `a setting changes its own line, and is told`() throws {
    try FileManager.default.createDirectory(
      atPath: daemon.directory("config/a11yd"),
      withIntermediateDirectories: true
    )
    try Data("# mine\n[voice]\nrate = 10\n".utf8).write(to: URL(filePath: file))

    #expect(try voice("rate", "-20").status == 0)
    #expect(try voice("--app", "org.x", "pitch", "30").status == 0)

    #expect(try settings() == "# mine\n[voice]\nrate = -20\n\n[app.\"org.x\"]\npitch = 30\n")
    let told = try voice().output
    #expect(told.contains("Rate: -20, of -100 to 100."))
    #expect(told.contains("org.x has a voice of its own"))
    #expect(try voice("--app", "org.x").output.contains("Pitch: 30, of -100 to 100."))
  }

  @Test func `a value that cannot be changes nothing`() throws {
    #expect(try voice("rate", "20").status == 0)

    let refused = try voice("rate", "400")

    #expect(refused.status == 64)
    #expect(
      refused.output
        == "a11yctl: Nothing was changed: voice.rate: expected a number from -100 to 100; got 400."
    )
    #expect(try settings() == "[voice]\nrate = 20\n")
    let mistyped = try voice("rte", "3")
    #expect(mistyped.status == 64)
    #expect(mistyped.output.hasPrefix("a11yctl: There is no setting rte; did you mean rate?"))
  }

  @Test func `default takes a setting out`() throws {
    #expect(try voice("rate", "20").status == 0)
    #expect(try voice("rate", "default").output.contains("The rate is the default again."))

    #expect(try settings() == "[voice]\n")
  }

  @Test func `a bus that reads its configuration elsewhere is not said to have changed`() throws {
    let answer = try voice("hints", "off", "--socket", daemon.socket)

    #expect(answer.status == 78)
    #expect(answer.output.contains("reads its configuration elsewhere"))
  }

  @Test func `hints are left out by the bus from now on`() throws {
    let process = try DaemonProcess(
      ["--socket", daemon.directory("own.sock"), "--state", daemon.directory("own")],
      environment: home
    )
    _ = try process.line(beginning: "a11yd: ready ")

    let answer = try voice("hints", "off", "--socket", daemon.directory("own.sock"))

    #expect(answer.output == "The bus says hints no more.")
    let app = try RawClient(daemon.directory("own.sock"))
    let rules = try app.ask(#"{"id":1,"op":"rules"}"#)
    #expect(rules["ok"]["reader"]["hints"] == false)
  }
}
