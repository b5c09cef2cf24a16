// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Foundation
import Synchronization
import Testing

/// What people hear in a day, through the faults of a bad one: short texts and long ones, numbers,
/// other scripts, other programs that speak between, and processes that are killed and hang.
///
/// After each text its outcome is held against the tap: what was heard was given to the synthesizer
/// and ended there exactly once, and what was not heard never ended. A text is not heard only where
/// the user has stopped it, or where the voice had to leave because there was no sound.
final class SpeechDay {
  private enum Fault: String, CaseIterable {
    case synthesizerKilled, synthesizerHung, soundKilled, soundHung, dispatcherKilled, voiceKilled
  }

  private let rig: SpeechRig
  private let tap: TapHolder
  private let caretaker: Caretaker
  private let isShort: Bool
  private var dice: Dice
  private var count = 0
  /// How often each thing has happened.
  private(set) var figures: [String: Int] = [:]

  init(_ rig: SpeechRig, _ tap: TapHolder, isShort: Bool, _ dice: Dice) {
    (self.rig, self.tap, self.isShort, self.dice) = (rig, tap, isShort, dice)
    caretaker = Caretaker(rig)
  }

  func play(for time: Duration) throws {
    defer { caretaker.end() }
    let deadline = Deadline(after: time)
    while !deadline.isOver {
      let isFaulty = isShort ? count == 2 : dice.once(in: 5)
      guard isFaulty else {
        try speakOne(nil, isCalm: false)
        continue
      }
      try speakOne(dice.pick(isShort ? [.synthesizerKilled] : Fault.allCases), isCalm: false)
      // A fault behind the end of a text is found by the next one.
      try speakOne(nil, isCalm: true)
    }
    print("the day: \(figures.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })")
  }

  // MARK: One text

  /// Has a text spoken; a calm one has nobody beside it, and may come behind a fault.
  private func speakOne(_ fault: Fault?, isCalm: Bool) throws {
    try waitForVoice()
    let text = makeText()
    let hasOther = !isCalm && dice.once(in: isShort ? 3 : 4)
    let other = hasOther ? try OtherProgram(rig.directory("spd.sock")) : nil
    try other?.speak(dice.roll(isShort ? 2...5 : 3...30))
    let seq = try rig.announce(text, #","queue":true,"ttl_ms":3600000"#)
    // The stop and the fault come anywhere before, in or behind the text.
    let isStopped = !isCalm && fault == nil && other == nil && dice.once(in: 8)
    let latest = isStopped && !isShort ? 70_000 : 4_000
    if isStopped || fault != nil { poll(nil, 0, Int32(dice.roll(100...latest))) }
    if isStopped { try rig.act("stop") }
    if let fault { try play(fault) }
    let outcome = try rig.log.outcome(of: seq, within: .seconds(300))
    let result = outcome.event["result"].string ?? ""
    let what = "\(text.prefix(60)), \(fault?.rawValue ?? "no fault"): \(outcome.text)"
    judge(seq, text, result, what)
    let isSilent = (fault != nil || isCalm) && outcome.event["why"]["reason"] == "no reader"
    #expect(
      result == "heard" || isStopped && result == "interrupted"
        || isSilent && result == "undeliverable" && rig.speech.said.contains("no sound"),
      "\(what)\n\(rig.log.tail)"
    )
    if let other, fault == nil {
      #expect(try other.end() == "702", "another program was cut off; \(what)")
      if other.isLong {
        #expect(outcome.event["why"]["behind"] == "other-speech", "\(what)")
      }
    }
    for name in [result, fault?.rawValue, other.map { _ in "another program" }].compactMap({ $0 }) {
      figures[name, default: 0] += 1
    }
  }

  /// Waits until the voice speaks for the bus, which it does not where there is no sound.
  private func waitForVoice() throws {
    let last = rig.log.lines.last {
      $0.type == "client" && $0.event["app"] == "a11y-speech"
    }
    guard let last, last.event["state"] != "listening" else { return }
    try rig.joined(from: last.seq, within: .seconds(120))
  }

  /// Holds an outcome against the tap.
  private func judge(_ seq: Int64, _ text: String, _ result: String, _ what: String) {
    let plain = SpokenWords.plain(text)
    let attempts = tap.spoken.filter { (try? SpokenWords.of($0.markup)) == plain }
    let deliveries = rig.log.lines.filter {
      $0.type == "deliver" && $0.event["of"].list?.contains(.integer(seq)) == true
    }
    let whole = attempts.count { $0.isWhole }
    figures["orders to speak", default: 0] += attempts.count
    #expect(attempts.count <= deliveries.count, "\(what)")
    #expect(whole == (result == "heard" ? 1 : 0), "\(whole) times whole; \(what)\n\(rig.log.tail)")
    if result == "heard" { #expect(attempts.last?.isWhole == true, "\(what)") }
  }

  private func makeText() -> String {
    count += 1
    let most = isShort ? 6 : 60
    let words = ["the", "meeting", "begins", "soon,", "and", "everybody", "is", "there."]
    switch dice.roll(0...5) {
    case 0: return "\(dice.pick(SpeechTests.Tap.texts)) \(count)"
    case 1:
      return (0..<dice.roll(2...most)).map { _ in "\(dice.roll(10_000...99_999))" }
        .joined(separator: " ") + " \(count)"
    case 2:
      let times = dice.roll(1...max(1, most / 10))
      return String(repeating: "我們今天去看電影", count: times) + " \(count)"
    case 3: return String(repeating: "7", count: dice.roll(4...most)) + " \(count)"
    case 4:
      return (0..<dice.roll(2...most)).map { _ in dice.pick(words) }.joined(separator: " ")
        + " \(count)"
    default: return "Message \(count)"
    }
  }

  // MARK: Faults

  private func play(_ fault: Fault) throws {
    let before = try #require(rig.log.lines.last).seq
    switch fault {
    case .synthesizerKilled: signal("sd_espeak-ng", SIGKILL)
    case .synthesizerHung: signal("sd_espeak-ng", SIGSTOP)
    case .soundKilled: signal("pulseaudio", SIGKILL)
    case .soundHung:
      signal("pulseaudio", SIGSTOP)
      poll(nil, 0, Int32(dice.roll(1_000...15_000)))
      signal("pulseaudio", SIGCONT)
    case .dispatcherKilled: signal("speech-dispatch", SIGKILL)
    case .voiceKilled:
      rig.speech.kill()
      try rig.startSpeech()
      try rig.joined(from: before + 1)
    }
  }

  private func signal(_ name: String, _ number: Int32) {
    for process in RigProcess.all(of: rig.directory) where process.name == name {
      kill(process.id, number)
    }
  }
}

/// Starts sound server and speech-dispatcher anew when they have ended, as a service manager does.
private final class Caretaker: Sendable {
  private let isOver = Mutex(false)

  init(_ rig: SpeechRig) {
    let (place, environment) = (rig.directory, rig.environment)
    let thread = Thread { [weak self] in
      var started: [DaemonProcess] = []
      while self?.isOver.withLock({ $0 }) == false {
        let names = RigProcess.all(of: place).map(\.name)
        if !names.contains("pulseaudio") {
          let new = try? SpeechRig.startSound(in: place, environment)
          started += new.map { [$0] } ?? []
        } else if !names.contains("speech-dispatch") {
          let new = try? SpeechRig.startDispatcher(in: place, environment)
          started += new.map { [$0] } ?? []
        }
        poll(nil, 0, 250)
      }
      started = []
    }
    thread.start()
  }

  func end() { isOver.withLock { $0 = true } }
}
