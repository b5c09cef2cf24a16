// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Foundation
import FoundationXML
import Testing

extension SpeechTests {
  /// Word for word, the texts that speech-dispatcher is given.
  @Suite(.serialized) struct Tap {
    static let texts: [String] = [
      "Item was added", "R&D", "a < b > c", #"She said "yes" & left"#, "it's",
      "&amp; &#65; <b>bold</b>",
      "]]> <![CDATA[x]]>", "<mark name=\"0\"/>", "98110", "1234567890", "3.14", "-5 °C", "$0–1.3M",
      "12:30", "2+ bd", "A1B2", "…", "—", "👍", "👍🏽 great", "👨‍👩‍👧 family", "é", "e\u{301}",
      "naïve café", "Grüße", "Привет, мир", "Γειά σου", "שלום", "مرحبا", "नमस्ते", "こんにちは", "你好",
      "안녕하세요",
      "สวัสดี", "Xin chào", "Ünïcödé", "ǅ", "ß", "ﬁ", "½", "²", "Ⅷ", "①", "𝔘𝔫𝔦", "𐌰𐌱", "ꙮ", "ᚠᚢ",
      "tab\there", "line\nbreak", "  spaces  ", "a\u{a0}b", "zero\u{200b}width", "soft\u{ad}hyphen",
      "rtl \u{202b}mark\u{202c}", ".", "..", ". a", "a.\n.\nb", "x", "The end.",
    ]

    @Test func `every text is spoken once, with its own words`() throws {
      let tap = TapHolder()
      let rig = try SpeechRig(.somebodyElse, settings: "[voice]\nrate = 100\n", tap: tap.start)
      try rig.joined()
      let rounds = Int(ProcessInfo.processInfo.environment["A11Y_SPEECH_ROUNDS"] ?? "") ?? 1
      var memory: [Int] = []
      for round in 0..<rounds {
        for text in Self.texts {
          let seq = try rig.announce(round == 0 ? text : "\(text) \(round)")
          let outcome = try rig.log.outcome(of: seq, within: .seconds(40))
          #expect(outcome.event["result"] == "heard", "\(text): \(outcome.event)\n\(rig.log.tail)")
        }
        memory.append(try RigProcess.figure("VmRSS", of: rig.speech.number))
      }
      try compare(rig, tap, count: Self.texts.count * rounds)
      print("memory after each round, in KiB: \(memory)")
      if rounds > 4 { #expect(memory[rounds - 1] - memory[rounds / 4] < 512) }
    }

    @Test func `a day of texts is spoken once each, through all faults`() throws {
      let asked = ProcessInfo.processInfo.environment["A11Y_SPEECH_MINUTES"].flatMap { Int($0) }
      let tap = TapHolder()
      let settings = asked == nil ? "[voice]\nrate = 60\n" : ""
      let rig = try SpeechRig(.somebodyElse, settings: settings, tap: tap.start)
      try rig.joined()
      let day = SpeechDay(rig, tap, isShort: asked == nil, Dice())
      try day.play(for: asked.map { .seconds($0 * 60) } ?? .seconds(30))
    }

    @Test func `runs keep their words, whatever their manner`() throws {
      let tap = TapHolder()
      let rig = try SpeechRig(.somebodyElse, settings: "[voice]\nrate = 100\n", tap: tap.start)
      try rig.joined()
      let runs = [
        #"[{"text":"98110","spell":true},{"text":" Seattle"}]"#,
        #"[{"text":"A&B <c>","spell":true}]"#, #"[{"text":"a, b; c!","punctuation":true}]"#,
        #"[{"text":"tomato","ipa":"təˈmeɪtoʊ"}]"#, #"[{"text":"guten Tag","lang":"de"}]"#,
        #"[{"text":"up","pitch":1.5},{"text":" and "},{"text":"down","pitch":0.5}]"#,
        #"[{"text":"…","spell":true}]"#, #"[{"text":"x","spell":true,"lang":"fr","pitch":2}]"#,
      ]
      let client = try rig.daemon.connect()
      try client.hello("runs")
      for text in runs {
        let seq = try client.publishAccepted(#"{"type":"announcement","text":\#(text)}"#)
        let outcome = try rig.log.outcome(of: seq, within: .seconds(40))
        #expect(outcome.event["result"] == "heard", "\(text): \(outcome.event)\n\(rig.log.tail)")
      }
      try compare(rig, tap, count: runs.count)
    }

    @Test func `a text of 4,000 characters is given whole`() throws {
      let tap = TapHolder()
      let rig = try SpeechRig(.somebodyElse, tap: tap.start)
      try rig.joined()
      let words = (0..<800).map { String(["abcd", "<&>x", "dé f", "漢字 g"][$0 % 4]) }
      let text = String(words.joined(separator: " ").prefix(4_000))
      let seq = try rig.announce(text)
      let delivery = try rig.log.delivery(of: seq)
      try rig.log.report("started", on: delivery)
      try rig.act("stop")
      let outcome = try rig.log.outcome(of: seq)

      #expect(outcome.event["result"] == "interrupted")
      try compare(rig, tap, count: 1)
    }

    /// Each delivery with words is one order to speak, of well-formed markup with these words.
    private func compare(_ rig: SpeechRig, _ tap: TapHolder, count: Int) throws {
      let deliveries = rig.log.lines.filter { $0.type == "deliver" && !$0.words.isEmpty }
      let spoken = tap.spoken
      #expect(deliveries.count == count)
      try #require(spoken.count == deliveries.count)
      for (delivery, spoken) in zip(deliveries, spoken) {
        #expect(try SpokenWords.of(spoken.markup) == SpokenWords.plain(delivery.words))
        #expect(!spoken.markup.contains("\n"))
      }
    }

    @Test func `another client's important message interrupts, and later ones are heard`() throws {
      let rig = try SpeechRig(.somebodyElse)
      try rig.joined()
      let delivery = try rig.begin(SpeechRig.long)
      let other = try RawClient(rig.directory("spd.sock"))
      for line in ["SET self CLIENT_NAME user:other:main", "SET self PRIORITY important", "SPEAK"] {
        try other.send(line + "\r")
        _ = try other.line()
      }
      try other.send("Important\r\n.\r")
      let report = try rig.log.report("interrupted", on: delivery)
      #expect(report.event["heard_ms"].integer.map { $0 > 0 && $0 < 5_000 } == true)
      let outcome = try rig.log.outcome(of: try #require(delivery.event["of"][0].integer))
      #expect(outcome.event["result"] == "interrupted")

      let next = try rig.log.outcome(of: rig.announce("Next"))
      #expect(next.event["result"] == "heard")
    }

    @Test func `speech begins within milliseconds, and its end is told at once`() throws {
      let tap = TapHolder()
      let rig = try SpeechRig(.somebodyElse, settings: "[voice]\nrate = 100\n", tap: tap.start)
      try rig.joined()
      var events: [SpeechLog.Line] = []
      var outcomes: [SpeechLog.Line] = []
      for number in 0..<25 {
        let seq = try rig.announce("Text \(number)")
        outcomes.append(try rig.log.outcome(of: seq))
        events.append(try #require(rig.log.lines.first { $0.seq == seq }))
      }
      let spoken = tap.spoken
      try #require(spoken.count == 25)
      let orders = zip(events, spoken).map { $1.time - $0.mono }.sorted()
      let ends = try zip(outcomes, spoken).map { $0.mono - (try #require($1.ended)) }.sorted()
      print("publish to SPEAK, µs: p50 \(orders[12]), p99 \(orders[24])")
      print("END to outcome, µs: p50 \(ends[12]), p99 \(ends[24])")
      let process = rig.speech.number
      let memory = try RigProcess.figure("VmRSS", of: process)
      // Within a second the bus tells how far the log has come.
      var last = -1
      try waitUntil("the last checkpoint") {
        let now = try RigProcess.figure("voluntary_ctxt_switches", of: process)
        defer { last = now }
        poll(nil, 0, now == last ? 0 : 1_300)
        return now == last
      }
      let before = try RigProcess.figure("voluntary_ctxt_switches", of: process)
      poll(nil, 0, 5_000)
      let after = try RigProcess.figure("voluntary_ctxt_switches", of: process)
      print("memory: \(memory) KiB; wake-ups in 5 s of silence: \(after - before)")

      #expect(orders[12] < 50_000 && ends[12] < 50_000)
      #expect(after == before)
    }
  }
}

/// A tap that a rig starts.
final class TapHolder {
  private var tap: SsipTap?

  var start: (String, String) throws -> Void {
    { path, behind in self.tap = try SsipTap(at: path, before: behind) }
  }

  var spoken: [SsipTap.Spoken] { tap?.spoken ?? [] }
  var asked: [String] { lines.map(\.text) }
  var lines: [SsipTap.Line] { tap?.asked ?? [] }
}

/// The words of markup, read by a parser that knows name spaces.
final class SpokenWords: NSObject, XMLParserDelegate {
  private var words = ""

  static func of(_ markup: String) throws -> String {
    let reader = SpokenWords()
    let parser = XMLParser(data: Data(markup.utf8))
    parser.shouldProcessNamespaces = true
    parser.delegate = reader
    guard parser.parse() else { throw Missing("well-formed markup: \(markup)") }
    return reader.words
  }

  /// A text with a space for each character that a line does not take.
  static func plain(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 32 ? " " : $0 }))
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) { words += text }
}
