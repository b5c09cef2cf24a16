// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The way of speech from a voice to the ear: speech-dispatcher, its synthesizers, and sound.
struct SoundCheck {
  let facts: MachineFacts
  /// Whether a voice needs these at all.
  let isNeeded: Bool

  private var failing: Diagnosis.Verdict { isNeeded ? .wrong : .absent }

  var diagnoses: [Diagnosis] { [dispatcher, sound] }

  // MARK: speech-dispatcher

  private var socket: String? {
    if let address = facts.environment("SPEECHD_ADDRESS"), address.hasPrefix("unix_socket:") {
      return String(address.dropFirst("unix_socket:".count))
    }
    return facts.runtime.map { "\($0)/speech-dispatcher/speechd.sock" }
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
    guard let answer = facts.talk(socket, Self.question) else {
      return Diagnosis(
        .synthesizer,
        failing,
        "speech-dispatcher does not answer at \(socket).",
        try: facts.isInstalled("speech-dispatcher") ? "speech-dispatcher --spawn" : nil
      )
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

  private static let servers = ["pipewire-pulse.socket", "pulseaudio.socket", "pipewire.socket"]

  private var sound: Diagnosis {
    if let server = facts.environment("PULSE_SERVER"), !server.isEmpty {
      if server.hasPrefix("unix:"), !facts.isThere(String(server.dropFirst("unix:".count))) {
        let words = "PULSE_SERVER names \(server) for sound, and nobody is there."
        return Diagnosis(.sound, failing, words)
      }
      return Diagnosis(.sound, .note, "Sound goes to \(server), as PULSE_SERVER says.")
    }
    let sockets = ["pulse/native", "pipewire-0"].compactMap { name in
      facts.runtime.map { "\($0)/\(name)" }
    }
    if let socket = sockets.first(where: facts.isThere) {
      return Diagnosis(.sound, .good, "A sound server is there, at \(socket).")
    }
    let unit = Self.servers.first { facts.units.has($0, of: .user) }
    return Diagnosis(
      .sound,
      failing,
      "No sound server is there for this user.",
      try: unit.map { "systemctl --user start \($0)" }
    )
  }
}
