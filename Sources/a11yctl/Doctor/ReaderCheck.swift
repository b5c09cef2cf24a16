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
    guard let state = bus.state, let stats = bus.stats else { return [] }
    let readers = ConnectedReaders(state, stats)
    var found: [Diagnosis] = []
    switch (readers.owner, readers.isRunning) {
    case (let owner?, true):
      found.append(Diagnosis(.reader, .good, "The screen reader \(owner.app) is there and speaks."))
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

  /// Whether the programs that present what is delivered run.
  static func programs(_ facts: MachineFacts, hasReader: Bool) -> [Diagnosis] {
    let parts = SetupPart.allCases.filter { $0 == .voice || facts.units.has($0.unit, of: .user) }
    return parts.map { program($0, facts, isNeeded: $0 == .voice && !hasReader) }
      + settings(facts)
  }

  private static func program(
    _ part: SetupPart,
    _ facts: MachineFacts,
    isNeeded: Bool
  ) -> Diagnosis {
    let subject = "\(part.subject), \(part.program),"
    let start = "a11yctl setup \(part) on"
    guard facts.units.has(part.unit, of: .user) else {
      return Diagnosis(.voice, .note, "\(subject) is not installed as a unit of systemd.")
    }
    guard let condition = facts.units.condition(of: part.unit, .user) else {
      return Diagnosis(.voice, .note, "systemd cannot be asked for the state of \(part.unit).")
    }
    if condition.active == "failed" {
      let remedy = "systemctl --user restart \(part.unit)"
      return Diagnosis(.voice, .wrong, "\(subject) has failed.", try: remedy)
    }
    if condition.isActive, isNeeded {
      // It leaves the bus for as long as nothing can be heard of it.
      return Diagnosis(
        .voice,
        .wrong,
        "\(subject) runs, and is not on the bus: it has no way to sound.",
        try: "systemctl --user status \(part.unit)"
      )
    }
    if condition.isActive { return Diagnosis(.voice, .good, "\(subject) runs.") }
    return Diagnosis(
      .voice,
      isNeeded ? .wrong : .note,
      "\(subject) is installed, but does not run.",
      try: isNeeded ? start : nil
    )
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
    return [
      Diagnosis(.voice, .wrong, "The settings of the voice have a mistake: \(mistakes).")
    ]
  }
}
