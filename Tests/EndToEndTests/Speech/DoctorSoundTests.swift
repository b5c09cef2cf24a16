// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// The doctor beside a real sound server, and beside a voice that has given up.
@Suite(
  .enabled(if: SpeechTools.obstacle == nil, "\(SpeechTools.obstacle ?? "")"),
  .serialized,
  .timeLimit(.minutes(hangs))
)
struct DoctorSoundTests {
  private func doctor(_ rig: SpeechRig) throws -> (status: Int32, output: String) {
    let words = ["doctor", "--socket", rig.daemon.socket, "--log", rig.daemon.state]
    return try Command(LogFiles.tool, words, environment: rig.environment).run()
  }

  @Test func `the sound server is asked, and neither a hung nor a killed one answers`() throws {
    let rig = try SpeechRig()
    try rig.joined()
    let path = rig.directory("p.sock")
    let sound = try #require(rig.sound)

    let well = try doctor(rig)
    sound.send(SIGSTOP)
    let hung = try doctor(rig)
    sound.send(SIGCONT)
    sound.kill()
    let killed = try doctor(rig)

    #expect(well.status == 0)
    #expect(well.output.contains("\nThe sound server answers at \(path), which PULSE_SERVER"))
    #expect(well.output.hasSuffix("\nAll is well."), "\(well.output)")
    #expect(hung.status == 1)
    #expect(hung.output.contains("\nWrong: The sound server at \(path)"), "\(hung.output)")
    #expect(hung.output.contains(" does not answer."))
    #expect(FileManager.default.fileExists(atPath: path))
    #expect(killed.status == 1)
    #expect(killed.output.contains("\nWrong: The sound server does not run: nobody listens at "))
    #expect(!killed.output.contains("All is well"))
  }

  @Test func `a voice that has given up is found, with its reason`() throws {
    let rig = try SpeechRig()
    try rig.joined()
    rig.sound?.kill()
    try rig.announce(SpeechRig.long)
    _ = try rig.speech.line(containing: "no sound output: ")
    try rig.log.wait(for: "the voice's farewell", from: 1) { line in
      line.event["type"] == "client" && line.event["app"] == "a11y-speech"
        && line.event["state"] == "unsubscribed"
    }

    let said = try doctor(rig)

    #expect(said.status == 1)
    #expect(said.output.contains("is not on the bus: it has no way to sound."), "\(said.output)")
    #expect(said.output.contains("It lost its last text because "), "\(said.output)")
  }
}
