// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Foundation
import Testing

extension SpeechTests {
  /// Long texts, other programs and an earlier life: who works is waited for, and ours can be
  /// stopped.
  @Suite struct Others {
    private func numbers(_ count: Int) -> String {
      (0..<count).map { "\(12_345 + 137 * $0)" }.joined(separator: " ")
    }

    private func progress(_ rig: SpeechRig, of delivery: SpeechLog.Line) -> [SpeechLog.Line] {
      rig.log.lines.filter {
        $0.type == "speech" && $0.event["of"] == .integer(delivery.seq)
          && $0.event["state"] == "progress"
      }
    }

    /// Whether no more than five seconds, and a little for a busy machine, lie between moments.
    private func areClose(_ moments: [Int64]) -> Bool {
      zip(moments, moments.dropFirst()).allSatisfy { $1 - $0 <= 5_500_000 }
    }

    @Test(arguments: [false, true])
    func `another program is heard whole, and then ours once`(isOurs: Bool) throws {
      // With a dispatcher of our own there is no tap.
      let tap = TapHolder()
      let rig = isOurs ? try SpeechRig() : try SpeechRig(.somebodyElse, tap: tap.start)
      try rig.joined()
      let dispatcher = try rig.speechDispatcher()
      let synthesizer = try rig.synthesizer()
      let home = try #require(rig.environment["XDG_RUNTIME_DIR"])
      let other = try OtherProgram(
        isOurs ? home + "/speech-dispatcher/speechd.sock" : rig.directory("spd.sock")
      )
      try other.speak(18)
      let start = Int64(SystemClock.bootMicroseconds())
      let seq = try rig.announce("Ours comes afterwards")
      let delivery = try rig.log.delivery(of: seq)
      let outcome = try rig.log.outcome(of: seq, within: .seconds(60))

      #expect(try other.end() == "702")
      #expect(outcome.event["result"] == "heard", "\(rig.log.tail)")
      #expect(outcome.mono - start > 20_000_000)
      let deliveries = rig.log.lines.count { $0.type == "deliver" }
      #expect(deliveries == 1, "\(rig.log.tail)")
      let told = progress(rig, of: delivery)
      #expect(told.count >= 4)
      #expect(told.allSatisfy { $0.event["heard_ms"] == .integer(0) })
      let started = try rig.log.report("started", on: delivery)
      #expect(areClose([delivery.mono] + told.map(\.mono) + [started.mono]))
      #expect(try rig.speechDispatcher() == dispatcher && rig.synthesizer() == synthesizer)
      if !isOurs { #expect(tap.spoken.count == 1) }
    }

    @Test func `a text longer than its estimate is spoken once`() throws {
      let tap = TapHolder()
      let rig = try SpeechRig(.somebodyElse, tap: tap.start)
      try rig.joined()
      // An English voice names each character, for more than half a minute.
      let seq = try rig.announce(String(repeating: "我們今天去看電影然後回家吃飯睡覺", count: 3))
      let delivery = try rig.log.delivery(of: seq)
      let outcome = try rig.log.outcome(of: seq, within: .seconds(120))

      #expect(outcome.event["result"] == "heard", "\(rig.log.tail)")
      let moments = [delivery.mono] + progress(rig, of: delivery).map(\.mono) + [outcome.mono]
      #expect(moments.count >= 7 && areClose(moments))
      let heard = progress(rig, of: delivery).compactMap { $0.event["heard_ms"].integer }
      #expect(zip(heard, heard.dropFirst()).allSatisfy { $0 < $1 })
      #expect(tap.spoken.count == 1 && tap.spoken.allSatisfy(\.isWhole))
    }

    @Test func `a stop late in a long text silences it at once`() throws {
      let rig = try SpeechRig()
      try rig.joined()
      let recording = try Recording(rig.environment)
      let delivery = try rig.begin(numbers(24))
      // Its estimate is over long before.
      try recording.reach(delivery.mono + 20_000_000)
      let late = delivery.mono + 20_000_000
      #expect(recording.loud(from: late - 1_000_000, to: late) != [])
      let stop = try rig.act("stop")
      let order = try rig.log.wait(for: "silence", from: stop) { $0.type == "silence" }
      try rig.log.report("interrupted", on: delivery)
      try recording.reach(order.mono + 1_000_000)

      #expect(recording.loud(from: order.mono + 100_000, to: order.mono + 1_000_000) == [])
      let outcome = try rig.log.outcome(of: try #require(delivery.event["of"][0].integer))
      #expect(outcome.event["result"] == "interrupted")
    }

    @Test(arguments: SpeechRig.Starter.allCases)
    func `a voice that was killed speaks whole what it had begun`(
      starter: SpeechRig.Starter
    ) throws {
      let tap = TapHolder()
      let isTapped = starter == .somebodyElse
      let rig = try SpeechRig(starter, tap: isTapped ? tap.start : nil)
      try rig.joined()
      let recording = try Recording(rig.environment)
      let delivery = try rig.begin(numbers(8))
      try recording.reach(Int64(SystemClock.bootMicroseconds()) + 2_000_000)
      rig.speech.kill()
      try rig.startSpeech()
      try rig.joined(from: delivery.seq + 1)
      let seq = try #require(delivery.event["of"][0].integer)
      let again = try rig.log.delivery(of: seq, again: true)
      let started = try rig.log.report("started", on: again)
      let outcome = try rig.log.outcome(of: seq, within: .seconds(60))

      #expect(outcome.event["result"] == "heard", "\(rig.log.tail)")
      #expect(!rig.log.lines.contains { $0.event["state"] == "lost" }, "\(rig.log.tail)")
      // The old words end when the new life begins, long before their own end.
      #expect(started.mono - again.mono < 2_000_000)
      #expect(outcome.mono - started.mono > 8_000_000)
      if isTapped { #expect(tap.spoken.map(\.isWhole) == [false, true]) }
    }
  }
}
