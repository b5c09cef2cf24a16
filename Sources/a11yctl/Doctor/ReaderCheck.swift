// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11ySpeech
import A11yToml

/// The readers that are connected, and the programs that speak and show.
enum ReaderCheck {
  /// Whether a reader is there that can be heard.
  static func connected(_ bus: BusCheck.Bus, _ facts: MachineFacts) -> [Diagnosis] {
    guard let state = bus.state, let stats = bus.stats else {
      let words = "Whether a screen reader is there cannot be asked on this socket."
      return [Diagnosis(.reader, .unchecked, words)]
    }
    let readers = ConnectedReaders(state, stats)
    var found: [Diagnosis] = []
    switch (readers.owner, readers.isRunning) {
    case (let owner?, true):
      let words = "The screen reader \(owner.app) is there and is given the words."
      found.append(Diagnosis(.reader, .good, words))
    case (let owner?, false):
      let words = "The screen reader \(owner.app) is there, but counts as switched off."
      found.append(Diagnosis(.reader, .wrong, words, try: "a11yctl reader on"))
    case (nil, _):
      let has = facts.units.has(SetupPart.voice.unit, of: .user)
      found.append(
        Diagnosis(
          .reader,
          .wrong,
          "No screen reader that speaks is connected, so that nothing can be heard.",
          try: has ? "a11yctl setup voice on" : "a11yctl listen"
        )
      )
    }
    let level = state["do_not_disturb"]?.integer ?? 0
    if level > 20 {
      let words = QuietWords.sentence(level, until: nil, now: facts.now())
      found.append(Diagnosis(.reader, .note, words))
    }
    return found
  }

  /// Whether an app is among the readers that get what is delivered.
  static func isListening(_ app: String, to bus: BusCheck.Bus) -> Bool {
    guard let state = bus.state, let stats = bus.stats else { return false }
    return ConnectedReaders(state, stats).all.contains { $0.app == app }
  }

  /// Whether the programs that present what is delivered run.
  static func programs(_ facts: MachineFacts, _ bus: VoiceOnBus) -> [Diagnosis] {
    let parts = SetupPart.allCases.filter { $0 == .voice || facts.units.has($0.unit, of: .user) }
    return parts.map { program($0, facts, bus) } + settings(facts)
  }

  /// The voice as the bus sees it.
  struct VoiceOnBus {
    /// Whether some reader speaks.
    var hasReader = false
    /// Whether it is the voice that listens, to speak now or when no other reader does.
    var isListening = false
    /// The reason that it has given for its last loss; it is asked for only where it matters.
    var loss: () -> String? = { nil }
  }

  private static func program(
    _ part: SetupPart,
    _ facts: MachineFacts,
    _ bus: VoiceOnBus
  ) -> Diagnosis {
    let subject = "\(part.subject), \(part.program),"
    let isNeeded = part == .voice && !bus.hasReader
    let condition: UnitManager.Condition
    switch Setup(facts: facts).state(of: part.unit) {
    case .isMissing: return without(unit: part, facts, bus)
    case .isUnknown:
      let words = "systemd cannot be asked for the state of \(part.unit)."
      return Diagnosis(.voice, .unchecked, words)
    case .isKnown(let known): condition = known
    }
    switch condition.active {
    case "failed":
      let remedy = "systemctl --user restart \(part.unit)"
      return Diagnosis(.voice, .wrong, "\(subject) has failed.", try: remedy)
    case "activating":
      return Diagnosis(.voice, .unchecked, "\(subject) is being started at this moment.")
    case _ where condition.isActive: return running(part, condition.status, bus)
    default:
      return Diagnosis(
        .voice,
        isNeeded ? .wrong : .note,
        "\(subject) is installed, but does not run.",
        try: isNeeded ? "a11yctl setup \(part) on" : nil
      )
    }
  }

  /// A program that runs, by its own words about its condition.
  private static func running(
    _ part: SetupPart,
    _ status: String,
    _ bus: VoiceOnBus
  ) -> Diagnosis {
    let subject = "\(part.subject), \(part.program),"
    func wrong(_ words: String) -> Diagnosis {
      let log = "journalctl --user --unit=\(part.unit)"
      return Diagnosis(.voice, .wrong, "\(subject) \(words)", try: log)
    }
    let parts = status.split(separator: noSound, omittingEmptySubsequences: false)
    if let reason = parts.dropFirst().first {
      return wrong("has no way to sound: \(reason). It tries again by itself, within a minute.")
    }
    if status.hasPrefix("repairing") || status.hasPrefix("waiting for the bus") {
      return wrong("runs, but is \(status).")
    }
    if part == .voice, !bus.isListening, !bus.hasReader {
      guard status.isEmpty else { return wrong("runs, and is not on this bus: \(status).") }
      return wrong("runs, and is not on the bus: \(silence(bus))")
    }
    // A display that is not plugged in is nothing wrong.
    let verdict: Diagnosis.Verdict = status.contains(noDisplay) ? .note : .good
    return Diagnosis(.voice, verdict, "\(subject) runs\(status.isEmpty ? "" : ": \(status)").")
  }

  /// The beginning of what the voice and the display say where they have nothing to speak with or
  /// to show on.
  private static let (noSound, noDisplay) = ("no sound output: ", "no braille display: ")

  /// A program that no unit keeps, which is a voice that somebody may have started by hand.
  private static func without(
    unit part: SetupPart,
    _ facts: MachineFacts,
    _ bus: VoiceOnBus
  ) -> Diagnosis {
    let subject = "\(part.subject), \(part.program),"
    guard let process = facts.processes(part.program).first else {
      return Diagnosis(.voice, .note, "\(subject) is not installed as a unit of systemd.")
    }
    guard bus.isListening || bus.hasReader else {
      return Diagnosis(
        .voice,
        .wrong,
        "\(subject) runs as process \(process), and is not on the bus: \(silence(bus))"
      )
    }
    return Diagnosis(.voice, .good, "\(subject) runs as process \(process), by no unit.")
  }

  /// It leaves the bus for as long as nothing can be heard of it.
  private static func silence(_ bus: VoiceOnBus) -> String {
    guard let reason = bus.loss() else { return "it has no way to sound." }
    return "it has no way to sound. It lost its last text because \(reason)."
  }

  /// Mistakes in the settings of the voice.
  private static func settings(_ facts: MachineFacts) -> [Diagnosis] {
    let loaded = LoadedCompanionSettings<VoiceSettings>(
      name: VoiceSettings.fileName,
      option: nil,
      environment: facts.environment
    )
    guard !loaded.complaints.isEmpty else { return [] }
    let mistakes = Complaints(loaded.complaints).sentence
    return [Diagnosis(.voice, .wrong, "The settings of the voice have a mistake: \(mistakes).")]
  }
}
