// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Foundation
import Testing

extension SpeechTests {
  /// The process: its end, its settings, and a bus that goes and comes.
  @Suite struct Ends {
    enum State: String, CaseIterable, CustomTestStringConvertible {
      case starting
      case idle
      case speaking
      case synthesizerStopped
      case dispatcherStopped
      case withoutSound
      case withoutBus

      var testDescription: String { rawValue }
    }

    @Test(arguments: State.allCases)
    func `it ends within two seconds, and leaves nothing behind`(state: State) throws {
      let rig = try SpeechRig(hasSound: state != .withoutSound)
      if state == .starting {
        try waitUntil("speech-dispatcher") { rig.remainder.contains { $0.name != "a11y-speech" } }
      } else {
        try rig.joined()
      }
      switch state {
      case .starting, .idle: break
      case .speaking, .withoutSound: _ = try rig.begin(SpeechRig.long)
      case .synthesizerStopped:
        _ = try rig.begin(SpeechRig.long)
        kill(try rig.synthesizer(), SIGSTOP)
      case .dispatcherStopped:
        _ = try rig.begin(SpeechRig.long)
        kill(try rig.speechDispatcher(), SIGSTOP)
      case .withoutBus: rig.daemon.kill()
      }
      let time = try rig.terminate()
      print("\(state.rawValue): ended after \(time)")

      #expect(time < .seconds(2))
      try waitUntil("the end of \(rig.remainder)", within: .seconds(2)) { rig.remainder.isEmpty }
    }

    @Test func `a bus that comes back is spoken for again`() throws {
      let rig = try SpeechRig()
      try rig.joined()
      _ = try rig.log.outcome(of: rig.announce("Before"))
      let last = try #require(rig.log.lines.last).seq
      try rig.restartDaemon()
      try rig.joined(from: last + 1)

      let outcome = try rig.log.outcome(of: rig.announce("After"))
      #expect(outcome.event["result"] == "heard")
    }

    @Test func `a new rate is taken over, and with one mistake all stays as it was`() throws {
      let tap = TapHolder()
      let rig = try SpeechRig(.somebodyElse, settings: "[voice]\nrate = 90\n", tap: tap.start)
      try rig.joined()
      _ = try rig.log.outcome(of: rig.announce("One"))
      #expect(tap.asked.contains("SET SELF RATE 90"))

      try reload(rig, "[voice]\nrate = 80\n")
      _ = try rig.speech.line(containing: "The settings were read again.")
      _ = try rig.log.outcome(of: rig.announce("Two"))
      #expect(tap.asked.contains("SET SELF RATE 80"))

      try reload(rig, "[voice]\nrate = 70\npitch = \"high\"\n")
      let line = try rig.speech.line(containing: "voice.pitch")
      #expect(line.contains("speech.toml:3:"))
      _ = try rig.log.outcome(of: rig.announce("Three"))
      #expect(!tap.asked.contains("SET SELF RATE 70"))

      try reload(rig, "[voice\n")
      _ = try rig.speech.line(containing: "not TOML")
      _ = try rig.log.outcome(of: rig.announce("Four"))
      #expect(tap.asked.last { $0.contains(" RATE ") } == "SET SELF RATE 80")
    }

    private func reload(_ rig: SpeechRig, _ settings: String) throws {
      try Data(settings.utf8).write(to: URL(filePath: rig.settings))
      rig.speech.send(SIGHUP)
    }
  }
}
