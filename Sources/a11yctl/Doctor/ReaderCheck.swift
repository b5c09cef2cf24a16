// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11ySpeech
import A11yToml

/// The readers that are connected, and the programs that speak and show.
enum ReaderCheck {
  private static let voice = "a11y-speech"

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
      let has = facts.units.has("\(voice).service", of: .user)
      found.append(
        Diagnosis(
          .reader,
          .wrong,
          "No screen reader that speaks is connected, so that nothing can be heard.",
          try: has ? "systemctl --user start \(voice).service" : "a11yctl listen"
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
    var found = [program(voice, "voice", facts, isNeeded: !hasReader)]
    if facts.units.has("a11y-braille.service", of: .user) {
      found.append(program("a11y-braille", "braille display", facts, isNeeded: false))
    }
    return found + settings(facts)
  }

  private static func program(
    _ name: String,
    _ noun: String,
    _ facts: MachineFacts,
    isNeeded: Bool
  ) -> Diagnosis {
    let unit = "\(name).service"
    guard facts.units.has(unit, of: .user) else {
      let words = "The \(noun) \(name) is not installed as a unit of systemd."
      return Diagnosis(.voice, .note, words)
    }
    guard let condition = facts.units.condition(of: unit, .user) else {
      return Diagnosis(.voice, .note, "systemd cannot be asked for the state of \(unit).")
    }
    if condition.active == "failed" {
      let remedy = "systemctl --user restart \(unit)"
      return Diagnosis(.voice, .wrong, "The \(noun) \(name) has failed.", try: remedy)
    }
    if condition.isActive, isNeeded {
      // It leaves the bus for as long as nothing can be heard of it.
      return Diagnosis(
        .voice,
        .wrong,
        "The \(noun) \(name) runs, and is not on the bus: it has no way to sound.",
        try: "systemctl --user status \(unit)"
      )
    }
    if condition.isActive {
      return Diagnosis(.voice, .good, "The \(noun) \(name) runs.")
    }
    return Diagnosis(
      .voice,
      isNeeded ? .wrong : .note,
      "The \(noun) \(name) is installed, but does not run.",
      try: isNeeded ? "systemctl --user enable --now \(unit)" : nil
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
