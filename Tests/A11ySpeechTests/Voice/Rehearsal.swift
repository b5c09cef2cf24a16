// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yTestKit
import A11yWire
import Testing

@testable import A11ySpeech

/// A voice on the table: the test is the bus, speech-dispatcher and the clock at once.
///
/// Commands are answered at once, as long as `answers` is set; events are given by the test. Times
/// are in milliseconds.
struct Rehearsal {
  private(set) var voice: Voice
  /// Whether speech-dispatcher answers commands.
  var answers = true
  /// The work of the busiest process in a second, in microseconds; nil where none is to be seen.
  var work: Int64?
  /// The numbers of connections that were ours, and have ended.
  var earlier: [Int] = []
  /// Whether a text gets its number at once.
  var numbersTexts = true
  /// The commands so far, without the ends of their lines.
  private(set) var sent: [String] = []
  private(set) var reports: [SpeechReport] = []
  private(set) var acts: [VoiceAct] = []
  private(set) var conditions: [VoiceCondition] = []
  private(set) var now: Int64 = 0
  private(set) var lastMessage = 0
  private var seq: Int64 = 0
  private let synthesizer: String

  init(
    _ settings: VoiceSettings = VoiceSettings(),
    synthesizer: String = "espeak-ng",
    sounds: String? = nil
  ) {
    self.synthesizer = synthesizer
    voice = Voice(settings, soundDirectory: sounds)
  }

  /// A voice that is ready to speak.
  static func ready(
    _ settings: VoiceSettings = VoiceSettings(),
    synthesizer: String = "espeak-ng",
    sounds: String? = nil
  ) -> Rehearsal {
    var rehearsal = Rehearsal(settings, synthesizer: synthesizer, sounds: sounds)
    rehearsal.voice.start()
    rehearsal.open()
    rehearsal.forget()
    return rehearsal
  }

  /// Forgets what the voice has done so far.
  mutating func forget() { (sent, reports, acts, conditions) = ([], [], [], []) }

  private mutating func settle() {
    while true {
      let new = voice.takeActs()
      if new.isEmpty { return }
      for act in new {
        switch act {
        case .send(let line):
          sent.append(line.replacing("\r\n.\r\n", with: "").replacing("\r\n", with: ""))
          if answers { answer(line) }
        case .report(let report): reports.append(report)
        case .tell(let condition): conditions.append(condition)
        case .look: voice.observe(work: work, at: now * 1_000)
        case .remember: break
        default: acts.append(act)
        }
      }
    }
  }

  private mutating func answer(_ line: String) {
    switch line {
    case "GET OUTPUT_MODULE\r\n": hear("251-\(synthesizer)", "251 OK GET RETURNED")
    case "GET LANGUAGE\r\n": hear("251-en-US", "251 OK GET RETURNED")
    case "HISTORY GET CLIENT_ID\r\n": hear("245-7", "245 OK CLIENT ID SENT")
    case let word
    where ["CHAR ", "KEY ", "SOUND_ICON "].contains(where: { word.hasPrefix($0) }):
      if numbersTexts { giveNumber() }
    case "SPEAK\r\n": hear("230 OK RECEIVING DATA")
    case let text where text.hasSuffix("\r\n.\r\n"): if numbersTexts { giveNumber() }
    case let cancel where cancel.hasPrefix("CANCEL"): hear("210 OK CANCELED")
    default: hear("208 OK SET")
    }
  }

  // MARK: speech-dispatcher

  /// Makes the connection that the voice wants.
  mutating func open() {
    voice.opened(earlier: earlier, at: now * 1_000)
    settle()
  }

  mutating func close() {
    voice.closed(at: now * 1_000)
    settle()
  }

  mutating func fail(_ reason: String) {
    voice.failed(reason, at: now * 1_000)
    settle()
  }

  /// Has speech-dispatcher say lines.
  mutating func hear(_ lines: String...) {
    voice.hear(Array((lines.joined(separator: "\r\n") + "\r\n").utf8), at: now * 1_000)
    settle()
  }

  /// Gives the text that was sent last its number.
  mutating func giveNumber() {
    lastMessage += 1
    hear("225-\(lastMessage)", "225 OK MESSAGE QUEUED")
  }

  mutating func begin(_ message: Int) { hear("701-\(message)", "701-1", "701 BEGIN") }

  mutating func mark(_ message: Int, _ mark: Int) {
    hear("700-\(message)", "700-1", "700-\(mark)", "700 INDEX MARK")
  }

  mutating func end(_ message: Int) { hear("702-\(message)", "702-1", "702 END") }

  mutating func cancel(_ message: Int) { hear("703-\(message)", "703-1", "703 CANCELED") }

  /// Speaks a message whole, as espeak-ng does.
  mutating func speak(_ message: Int, marks: Int = 1) {
    begin(message)
    for mark in 0..<marks { self.mark(message, mark) }
    end(message)
  }

  // MARK: The bus

  /// Delivers a text, and returns the seq of the delivery.
  @discardableResult
  mutating func deliver(_ text: String, _ fields: String = "") throws -> Int64 {
    let runs = text.isEmpty ? "" : #"{"text":"\#(text)"}"#
    return try deliver(runs: runs, fields)
  }

  @discardableResult
  mutating func deliver(runs: String, _ fields: String = "") throws -> Int64 {
    seq += 1
    let event = #"{"type":"deliver","of":[1],"to":1,"speak":[\#(runs)]\#(fields)}"#
    let line = Says.entry(Int(seq), app: "a11yd", event: event)
      .replacing(#""conn":1,"#, with: #""conn":0,"#)
    let reader = JSONReader(limit: 65_536)
    try reader.read(Array(line.utf8).span)
    let delivery = try #require(try Entry(seq, reader.document).delivery)
    voice.receive(delivery, at: now * 1_000)
    settle()
    return seq
  }

  mutating func reveal(_ seq: Int64, kind: String, _ runs: String..., masked: String? = nil) {
    let speech = SpeechText(runs: runs.map { .init($0) })
    voice.receiveSecret(of: seq, kind: kind, speech, masked: masked, at: now * 1_000)
    settle()
  }

  mutating func silence(_ seq: Int64) {
    voice.silence(seq, at: now * 1_000)
    settle()
  }

  mutating func stop() {
    voice.stop(at: now * 1_000)
    settle()
  }

  mutating func apply(_ settings: VoiceSettings) { voice.adopt(settings) }

  // MARK: The clock

  /// Lets time pass, through every moment at which the voice wants to be called.
  mutating func pass(_ milliseconds: Int64) {
    let end = now + milliseconds
    while let due = voice.due, due <= end * 1_000 {
      now = max(now, (due + 999) / 1_000)
      voice.elapse(to: now * 1_000)
      settle()
      if let again = voice.due, again <= due { break }
    }
    now = end
    voice.elapse(to: now * 1_000)
    settle()
  }

  /// The commands that give a text.
  var texts: [String] { sent.filter { $0.hasPrefix("<speak>") } }

  /// Whether a condition says that there is no sound.
  var saysNoSound: Bool {
    conditions.contains { if case .noSound = $0 { true } else { false } }
  }
}
