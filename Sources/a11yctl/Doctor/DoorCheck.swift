// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11ySpeech

/// The way of programs that speak through speech-dispatcher: to the door, or past it.
struct DoorCheck {
  let facts: MachineFacts

  /// Asks for a number, which every server of the protocol has.
  private static let question = "HISTORY GET CLIENT_ID\r\nQUIT\r\n"

  /// Nothing where the door plays no part.
  var diagnoses: [Diagnosis] {
    guard let path = SpeechAddress.door(environment: facts.environment) else { return [] }
    let address = facts.environment("SPEECHD_ADDRESS")
    guard address == SpeechAddress.prefix + path else {
      let unit = SetupPart.door.unit
      guard facts.units.has(unit, of: .user),
        facts.units.condition(of: unit, .user)?.isActive == true
      else { return [] }
      let words = """
        The door for speech-dispatcher's programs is on, and what this terminal starts passes it \
        by until the next login.
        """
      return [Diagnosis(.door, .note, words)]
    }
    return [door(at: path)]
  }

  private func door(at path: String) -> Diagnosis {
    switch facts.talk(path, Array(Self.question.utf8), { _ in false }) {
    case .answer(let words) where String(decoding: words, as: UTF8.self).hasPrefix("245"):
      return Diagnosis(.door, .good, "The door answers programs of speech-dispatcher.")
    case .answer, .silence:
      return Diagnosis(
        .door,
        .wrong,
        "The door for speech-dispatcher's programs does not answer at \(path).",
        try: "systemctl --user restart \(SetupPart.door.program).service"
      )
    case .nobody:
      return Diagnosis(
        .door,
        .wrong,
        "Programs look for speech-dispatcher at the door, and nobody listens at \(path).",
        try: "a11yctl setup door on"
      )
    case .refused(let error):
      return Diagnosis(.door, .unchecked, "The door at \(path) cannot be asked: \(error).")
    }
  }
}
