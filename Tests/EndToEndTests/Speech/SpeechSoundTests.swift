// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Foundation
import Testing

extension SpeechTests {
  /// The sound itself, against the log: both tell their times by the boot clock.
  @Suite(.serialized) struct Sound {
    /// The time by which a stamp of the log and the recording may disagree: a window of ten
    /// milliseconds, and a delay of the first samples of twice the latency that was asked for.
    private static let blur: Int64 = 30_000

    @Test func `a demo is heard when the log says so, and at no other time`() throws {
      let rig = try SpeechRig(settings: "[voice]\nrate = 60\n")
      try rig.joined()
      let recording = try Recording(rig.environment)
      let demo = try DaemonProcess(
        ["--play", "--pause", "50", "--socket", rig.daemon.socket],
        of: SpeechTools.built("a11y-demo"),
        environment: rig.environment
      )
      try rig.log.wait(for: "the end of the demo", within: .seconds(90)) { line in
        line.event["type"] == "client" && line.event["state"] == "left"
          && line.event["app"] == "org.example.Contacts"
      }
      _ = try demo.end()
      // The demo leaves while its last words still wait.
      try rig.log.waitForOutcomes()
      let last = try #require(rig.log.lines.last { $0.type == "deliver" && !$0.words.isEmpty })
      try rig.log.wait(for: "the end of the last delivery", from: last.seq) { line in
        line.type == "speech" && line.event["of"] == .integer(last.seq)
          && line.event["state"] != "started"
      }
      let end = try #require(rig.log.lines.last).mono
      try recording.reach(end + 500_000)
      try judge(rig.log, recording, until: end + 500_000)
    }

    /// Compares the recording with each delivery, and with the pauses between them.
    private func judge(_ log: SpeechLog, _ recording: Recording, until end: Int64) throws {
      var spans: [(from: Int64, to: Int64)] = []
      var heard = 0
      for line in log.lines where line.type == "speech" && line.event["state"] == "started" {
        let of = try #require(line.event["of"].integer)
        let ending = log.lines.first { other in
          other.type == "speech" && other.event["of"] == .integer(of)
            && other.event["state"] != "started"
        }
        let delivery = try #require(log.lines.first { $0.seq == of })
        let silence = log.lines.first { other in
          other.seq > of
            && (other.type == "silence" && other.event["of"] == .integer(of)
              || other.type == "deliver" && other.event["interrupts"] == .integer(of))
        }
        let last = try #require(ending, "no end of \(of): \(delivery.words)")
        let stop = last.event["state"] == "finished" ? last.mono : (silence ?? last).mono + 60_000
        // The sound of the delivery before ends with a blur, and so does this one's.
        let isNext = spans.last.map { $0.to > line.mono - 200_000 } ?? false
        let from = isNext ? line.mono : line.mono - Self.blur
        let next = log.lines.first { other in
          other.seq > last.seq && other.type == "speech" && other.event["state"] == "started"
        }
        let to = min(stop + Self.blur, (next?.mono ?? .max) - Self.blur)
        spans.append((line.mono - Self.blur, stop + Self.blur))
        let loud = recording.loud(from: from, to: to)
        guard last.event["state"] == "finished" else { continue }
        heard += 1
        let first = try #require(loud.first, "nothing was heard of “\(delivery.words)”")
        let final = try #require(loud.last)
        print(
          "begins \((first - line.mono) / 1_000) ms, ends \((last.mono - final) / 1_000) ms before"
        )
        #expect(first - line.mono <= 50_000 + Self.blur, "\(delivery.words)")
        #expect(final <= last.mono + Self.blur, "\(delivery.words)")
        #expect(last.mono - final <= 600_000 + Self.blur, "\(delivery.words)")
      }
      #expect(heard >= 8)
      let stray = recording.loud(from: 0, to: end).filter { time in
        !spans.contains { $0.from <= time && time < $0.to }
      }
      #expect(stray == [], "sound outside of speech; spans: \(spans)")
    }

    @Test(arguments: ["stop", "high"])
    func `after a stop or a cut the old words are not heard any more`(by: String) throws {
      let rig = try SpeechRig()
      try rig.joined()
      let recording = try Recording(rig.environment)
      for _ in 0..<3 {
        let delivery = try rig.begin(SpeechRig.long)
        try recording.reach(Int64(SystemClock.bootMicroseconds()) + 700_000)
        let order: SpeechLog.Line
        if by == "stop" {
          try rig.act("stop")
          order = try rig.log.wait(for: "silence", from: delivery.seq) { $0.type == "silence" }
        } else {
          // Nothing can be heard of it.
          try rig.announce("…", #","priority":"high""#)
          order = try rig.log.wait(for: "a cut", from: delivery.seq) { line in
            line.event["interrupts"] == .integer(delivery.seq)
          }
          try rig.act("stop")
        }
        try recording.reach(order.mono + 600_000)
        let before = recording.loud(from: order.mono - 600_000, to: order.mono)
        #expect(before.count > 20, "the recording has heard nothing before")
        let after = recording.loud(from: order.mono, to: order.mono + 600_000)
        print("silent \(((after.last ?? order.mono) + 10_000 - order.mono) / 1_000) ms after \(by)")
        #expect((after.last ?? order.mono) + 10_000 - order.mono <= 60_000 + Self.blur)
      }
    }

    @Test func `a sound of the bus is heard without words`() throws {
      let rig = try SpeechRig()
      try rig.joined()
      let recording = try Recording(rig.environment)
      let action = try rig.act("next")
      let delivery = try rig.log.wait(for: "an earcon", from: action) { line in
        line.type == "deliver" && line.event["earcon"].isThere
      }
      try recording.reach(delivery.mono + 800_000)

      #expect(recording.loud(from: delivery.mono, to: delivery.mono + 700_000).count >= 5)
    }
  }
}
