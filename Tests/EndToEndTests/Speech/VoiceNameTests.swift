// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// The names of a real speech-dispatcher, which itself takes any.
@Suite(
  .enabled(if: SpeechTools.obstacle == nil, "\(SpeechTools.obstacle ?? "")"),
  .timeLimit(.minutes(hangs))
)
struct VoiceNameTests {
  private let directory: ScratchDirectory
  private let environment: [String: String]

  init() throws {
    directory = try ScratchDirectory()
    var variables = try RunningDaemon.home(in: directory)
    variables["SPEECHD_ADDRESS"] = "unix_socket:\(directory("spd.sock"))"
    environment = variables
  }

  private func voice(_ words: String...) throws -> (status: Int32, output: String) {
    try Command(LogFiles.tool, ["voice"] + words, environment: environment).run()
  }

  private var settings: String {
    (try? String(contentsOfFile: directory("config/a11yd/speech.toml"), encoding: .utf8)) ?? ""
  }

  @Test func `what the synthesizer does not have is refused, and what it has is taken`() throws {
    let dispatcher = try SpeechRig.startDispatcher(in: directory, environment)
    defer {
      for process in RigProcess.all(of: directory) { kill(process.id, SIGKILL) }
    }

    let strange = [
      try voice("voice", "Germen"), try voice("language", "xx"),
      try voice("synthesizer", "espeak-nj"),
    ]
    let nothing = settings
    let known = [
      try voice("synthesizer", "espeak-ng"), try voice("voice", "German"),
      try voice("language", "de"),
    ]

    #expect(strange.map(\.status) == [64, 64, 64], "\(strange)")
    #expect(strange[0].output.contains("has no voice Germen; did you mean German?"))
    #expect(strange[1].output.contains("has no language xx"))
    #expect(strange[2].output.contains("did you mean espeak-ng?"))
    #expect(nothing == "")
    #expect(known.map(\.status) == [0, 0, 0], "\(known)")
    #expect(known.allSatisfy { !$0.output.contains("could not be checked") })
    #expect(settings.contains("voice = \"German\""))

    dispatcher.send(SIGSTOP)
    let hung = try voice("voice", "Germen")
    #expect(hung.status == 0)
    #expect(hung.output.contains("could not be checked"), "\(hung.output)")
    dispatcher.send(SIGCONT)
  }

  @Test func `where nobody can be asked, the setting is written, and that is said`() throws {
    let said = try voice("voice", "Germen")

    #expect(said.status == 0)
    #expect(
      said.output.contains(
        "Whether there is such a voice could not be checked: no speech-dispatcher answers."
      )
    )
    #expect(settings.contains("voice = \"Germen\""))
  }
}
