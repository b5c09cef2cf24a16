// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Foundation
import Testing

extension SpeechTests {
  /// Faults of real programs: what was lost is told, later texts are heard, nothing stays behind.
  @Suite struct Faults {
    enum Fault: String, CaseIterable, CustomTestStringConvertible {
      case synthesizerKilled
      case synthesizerHung
      case dispatcherKilled

      var testDescription: String { rawValue }
      var told: Int64 { self == .synthesizerHung ? 15_000_000 : 10_000_000 }
      var heard: Int64 { self == .synthesizerHung ? 30_000_000 : 25_000_000 }
    }

    @Test(arguments: Fault.allCases, SpeechRig.Starter.allCases)
    func `a fault in the middle of a text`(fault: Fault, starter: SpeechRig.Starter) throws {
      let rig = try SpeechRig(starter)
      try rig.joined()
      let synthesizer = try rig.synthesizer()
      let delivery = try rig.begin(SpeechRig.long)
      let start = Int64(SystemClock.bootMicroseconds())
      switch fault {
      case .synthesizerKilled: kill(synthesizer, SIGKILL)
      case .synthesizerHung: kill(synthesizer, SIGSTOP)
      case .dispatcherKilled: kill(try rig.speechDispatcher(), SIGKILL)
      }
      let lost = try rig.log.report("lost", on: delivery, within: .seconds(20))
      #expect(lost.mono - start <= fault.told, "\(rig.log.tail)")
      #expect(lost.event["reason"].isThere)

      let first = try #require(delivery.event["of"][0].integer)
      // It waits behind the text that was lost, longer than texts usually may.
      let later = try rig.announce("A later text", #","queue":true,"ttl_ms":40000"#)
      let outcome = try rig.log.outcome(of: later, within: .seconds(40))
      #expect(outcome.event["result"] == "heard", "\(rig.log.tail)\n\(rig.speech.said)")
      #expect(outcome.mono - start <= fault.heard, "\(rig.log.tail)")
      let again = try rig.log.outcome(of: first, within: .seconds(40))
      #expect(again.event["result"] == "heard", "\(rig.log.tail)\n\(rig.speech.said)")
      print(
        "\(fault.rawValue), \(starter.rawValue): told after \((lost.mono - start) / 1_000) ms, "
          + "a later text heard after \((outcome.mono - start) / 1_000) ms"
      )
      try waitUntil("the end of the synthesizer") { !RigProcess.isRunning(synthesizer) }
      #expect(RigProcess.all(of: rig.directory).allSatisfy { $0.state != "T" })
      try end(rig)
    }

    @Test(arguments: SpeechRig.Starter.allCases)
    func `a synthesizer that is killed between two texts`(starter: SpeechRig.Starter) throws {
      let rig = try SpeechRig(starter)
      try rig.joined()
      _ = try rig.log.outcome(of: rig.announce("Before"))
      let synthesizer = try rig.synthesizer()
      kill(synthesizer, SIGKILL)
      try waitUntil("its end") { !RigProcess.isRunning(synthesizer) }
      let start = Int64(SystemClock.bootMicroseconds())
      let outcome = try rig.log.outcome(of: rig.announce("After"), within: .seconds(40))

      #expect(outcome.event["result"] == "heard", "\(rig.log.tail)\n\(rig.speech.said)")
      #expect(outcome.mono - start <= 25_000_000)
      try end(rig)
    }

    @Test func `without a sound server it says so, and comes back when there is one`() throws {
      let rig = try SpeechRig(hasSound: false)
      try rig.joined()
      let start = Int64(SystemClock.bootMicroseconds())
      let seq = try rig.announce("Nobody hears this")
      _ = try rig.speech.line(containing: "no sound", within: .seconds(45))
      let told = Int64(SystemClock.bootMicroseconds()) - start
      print("no sound is told after \(told / 1_000) ms")
      #expect(told <= 40_000_000)
      _ = try rig.log.outcome(of: seq, within: .seconds(40))

      try rig.startSound()
      try rig.joined(from: try #require(rig.log.lines.last).seq)
      let outcome = try rig.log.outcome(of: rig.announce("Now"), within: .seconds(30))
      #expect(outcome.event["result"] == "heard", "\(rig.log.tail)\n\(rig.speech.said)")
      try end(rig)
    }

    /// Ends the voice as a service manager does; of its own processes nothing may be left.
    private func end(_ rig: SpeechRig) throws {
      let foreign = rig.dispatcher.map { RigProcess.isRunning($0.number) } ?? false
      #expect(try rig.terminate() < .seconds(2))
      if foreign {
        #expect(rig.remainder.contains { $0.id == rig.dispatcher?.number })
        #expect(!rig.remainder.contains { $0.name == "a11y-speech" })
      } else {
        try waitUntil("the end of \(rig.remainder)", within: .seconds(2)) { rig.remainder.isEmpty }
      }
    }
  }
}
