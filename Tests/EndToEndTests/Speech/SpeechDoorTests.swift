// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Foundation
import Testing

extension SpeechTests {
  /// The door before a real voice.
  @Suite(.serialized, .timeLimit(.minutes(hangs))) struct Door {
    /// With `A11Y_DOOR_TEXTS=1000` a long night's.
    private static let count =
      ProcessInfo.processInfo.environment["A11Y_DOOR_TEXTS"].flatMap { Int($0) } ?? 20

    @Test func `each text that comes in at the door goes out to the voice, and soon`() throws {
      let tap = TapHolder()
      let rig = try SpeechRig(.somebodyElse, settings: "[voice]\nrate = 100\n", tap: tap.start)
      try rig.joined()
      let door = try SpeechRig.startDoor(
        in: rig.directory,
        rig.environment,
        rig.directory("spd.sock")
      )
      let reader = try Reader(rig.directory("ssip.sock"))

      var texts: [String] = []
      var moments: [Int64] = []
      for number in 1...Self.count {
        texts.append("Line \(number) of a page that is read")
        moments.append(try reader.read(texts[number - 1]))
      }

      let asked = tap.lines
      let waits = moments.compactMap { moment in
        asked.first { $0.time >= moment }.map { $0.time - moment }
      }.sorted()
      #expect(try tap.spoken.map { try SpokenWords.of($0.markup) } == texts, "\(door.said)")
      try #require(waits.count == Self.count)
      let (median, late) = (waits[waits.count / 2], waits[(waits.count * 99 - 1) / 100])
      print("in at the door to out to speech-dispatcher, µs: p50 \(median), p99 \(late)")
      #expect(median < 50_000)
    }

    /// A screen reader, which marks each word and cuts what it has begun.
    private struct Reader {
      private let client: RawClient

      init(_ path: String) throws {
        client = try RawClient(path)
        for line in [
          "CLIENT_NAME user:orca:main", "NOTIFICATION ALL ON", "SSML_MODE on",
          "PRIORITY message",
        ] {
          try client.send("SET SELF \(line)\r")
          guard try client.line().hasPrefix("2") else { throw Missing("an answer to \(line)") }
        }
      }

      /// Has a text begun and cut; the moment at which it was handed in.
      func read(_ text: String) throws -> Int64 {
        try client.send("SPEAK\r")
        try wait("230 ")
        var place = 0
        let words = text.split(separator: " ").map { word in
          defer { place += word.count + 1 }
          return #"<mark name="\#(place):\#(place + word.count)"/>\#(word)"#
        }
        let moment = Int64(SystemClock.bootMicroseconds())
        try client.send("<speak>\(words.joined(separator: " "))</speak>\r\n.\r")
        try wait("701 ")
        try client.send("CANCEL SELF\r")
        // The text may have ended before.
        try wait("702 ", "703 ")
        return moment
      }

      private func wait(_ beginnings: String...) throws {
        while true {
          let line = try client.line()
          if beginnings.contains(where: line.hasPrefix) { return }
        }
      }
    }
  }
}
