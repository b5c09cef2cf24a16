// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11ySpeech

/// The way of speech from a voice to the ear: speech-dispatcher, its synthesizers, and sound.
struct SoundCheck {
  let facts: MachineFacts
  /// Whether a voice needs these at all.
  let isNeeded: Bool

  private var failing: Diagnosis.Verdict { isNeeded ? .wrong : .absent }

  var diagnoses: [Diagnosis] { [dispatcher, sound] }

  // MARK: speech-dispatcher

  private var socket: String? {
    (try? SpeechAddress(option: nil, environment: facts.environment))?.path
  }

  /// Names us, as every client must, and asks for the synthesizers.
  private static let question =
    "SET SELF CLIENT_NAME a11yctl:doctor:main\r\nLIST OUTPUT_MODULES\r\nQUIT\r\n"

  private var dispatcher: Diagnosis {
    guard let socket, facts.isThere(socket) else {
      guard facts.isInstalled("speech-dispatcher") else {
        return Diagnosis(
          .synthesizer,
          failing,
          "speech-dispatcher, through which voices speak, is not installed.",
          try: facts.installing("speech-dispatcher")
        )
      }
      return Diagnosis(
        .synthesizer,
        .note,
        "speech-dispatcher is installed and does not run; the first voice starts it."
      )
    }
    let answer: String
    switch facts.talk(socket, Array(Self.question.utf8), { _ in false }) {
    case .answer(let words): answer = String(decoding: words, as: UTF8.self)
    case .nobody:
      return Diagnosis(
        .synthesizer,
        .note,
        "speech-dispatcher does not run, and has left \(socket) behind; the first voice starts it."
      )
    case .silence:
      let unit = SetupPart.voice.unit
      return Diagnosis(
        .synthesizer,
        failing,
        "speech-dispatcher does not answer at \(socket).",
        try: facts.units.has(unit, of: .user) ? "systemctl --user restart \(unit)" : nil
      )
    case .refused(let error):
      let words = "speech-dispatcher at \(socket) cannot be asked: \(error)."
      return Diagnosis(.synthesizer, .unchecked, words)
    }
    let modules = Self.modules(in: answer).filter { $0 != "dummy" }
    guard !modules.isEmpty else {
      return Diagnosis(
        .synthesizer,
        failing,
        "speech-dispatcher runs, but has no synthesizer.",
        try: facts.installing("speech-dispatcher-espeak-ng")
      )
    }
    let words = "speech-dispatcher answers, with \(modules.joined(separator: ", "))."
    return Diagnosis(.synthesizer, .good, words)
  }

  /// The lines `250-NAME` of an answer, whose last line has a blank after the number.
  static func modules(in answer: String) -> [String] {
    answer.split(whereSeparator: \.isNewline).compactMap { line in
      line.hasPrefix("250-") ? String(line.dropFirst(4)) : nil
    }
  }

  // MARK: Sound

  /// The services of sound servers, in the order in which a machine uses them.
  private static let services = ["pipewire-pulse", "pulseaudio", "pipewire"]

  private var sound: Diagnosis {
    // A list, of which the first one that answers is taken; the word before a name is a machine's.
    if let list = facts.environment("PULSE_SERVER"), let first = list.split(separator: " ").first {
      let name = first.hasPrefix("{") ? first.drop { $0 != "}" }.dropFirst() : first
      let path = name.hasPrefix("unix:") ? name.dropFirst("unix:".count) : name
      guard path.hasPrefix("/") else {
        let words = "Sound goes to \(name) over the network, as PULSE_SERVER says; whether"
        return Diagnosis(.sound, .unchecked, "\(words) it is heard there cannot be checked.")
      }
      return server(at: String(path), named: ", which PULSE_SERVER names")
    }
    let folder = facts.environment("PULSE_RUNTIME_PATH") ?? facts.runtime.map { "\($0)/pulse" }
    if let path = folder.map({ "\($0)/native" }), facts.isThere(path) {
      return server(at: path, named: "")
    }
    if let path = facts.runtime.map({ "\($0)/pipewire-0" }), facts.isThere(path) {
      let words = "PipeWire has a socket at \(path), but none for PulseAudio's programs, so that it"
      return Diagnosis(.sound, .unchecked, "\(words) cannot be asked.")
    }
    let words = "No sound server is there for this user."
    return Diagnosis(.sound, failing, words, try: command("start", "socket"))
  }

  /// The sound server behind a socket, by its answer; a file is left where one was killed.
  private func server(at path: String, named: String) -> Diagnosis {
    let trouble: String
    switch facts.talk(path, PulseQuestion.bytes, PulseQuestion.isWhole) {
    case .answer(let answer):
      switch PulseQuestion.verdict(on: answer) {
      case .welcome:
        return Diagnosis(.sound, .good, "The sound server answers at \(path)\(named).")
      case .refusal: trouble = "The sound server at \(path)\(named) plays nothing for this user."
      case .other: trouble = "What answers at \(path)\(named) is no sound server."
      }
    case .nobody where facts.isThere(path):
      trouble = "The sound server does not run: nobody listens at \(path)\(named)."
    case .nobody: trouble = "No sound server is there: there is no \(path)\(named)."
    case .silence: trouble = "The sound server at \(path)\(named) does not answer."
    case .refused(let error):
      trouble = "The sound server at \(path)\(named) is closed: \(error)."
    }
    return Diagnosis(.sound, failing, trouble, try: command("restart", "service"))
  }

  /// The command to the unit of a sound server that this machine has.
  private func command(_ verb: String, _ kind: String) -> String? {
    let unit = Self.services.map { "\($0).\(kind)" }.first { facts.units.has($0, of: .user) }
    return unit.map { "systemctl --user \(verb) \($0)" }
  }
}

/// The first question that a program asks a sound server in PulseAudio's protocol, which PipeWire
/// speaks, too.
///
/// The kernel takes connections for a server that hangs, and the file of a socket outlives the
/// server; only an answer tells that somebody is there. Nothing is played.
enum PulseQuestion {
  /// The meaning of an answer.
  enum Answer: Equatable {
    case welcome
    /// It is there, and lets this user play nothing.
    case refusal
    /// These are not the words of a sound server.
    case other
  }

  /// A packet: its length, the channel of commands, and three numbers that only sound needs.
  private static let head = 20
  private static let auth: UInt32 = 8
  private static let (error, reply): (UInt32, UInt32) = (0, 2)
  private static let tag: UInt32 = 1
  /// Old enough for every server that runs today, and before shared memory had to be agreed on.
  private static let version: UInt32 = 13
  /// The secret that other machines would need; this one knows us by our uid.
  private static let secret = 256

  static let bytes: [UInt8] = {
    let body =
      tagged(auth) + tagged(tag) + tagged(version)
      + [UInt8(ascii: "x")] + plain(UInt32(secret)) + [UInt8](repeating: 0, count: secret)
    return plain(UInt32(body.count)) + plain(.max) + plain(0) + plain(0) + plain(0) + body
  }()

  /// Whether the first packet of an answer has come to its end.
  static func isWhole(_ answer: [UInt8]) -> Bool {
    guard let length = big32(answer, at: 0) else { return false }
    return answer.count >= head + Int(length)
  }

  static func verdict(on answer: [UInt8]) -> Answer {
    guard big32(answer, at: head + 6) == tag, answer[head] == UInt8(ascii: "L") else {
      return .other
    }
    switch big32(answer, at: head + 1) {
    case reply: return .welcome
    case error: return .refusal
    default: return .other
    }
  }

  /// A number of 32 bits with the letter that says so.
  private static func tagged(_ value: UInt32) -> [UInt8] { [UInt8(ascii: "L")] + plain(value) }

  private static func plain(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func big32(_ bytes: [UInt8], at place: Int) -> UInt32? {
    guard bytes.count >= place + 4 else { return nil }
    return bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
