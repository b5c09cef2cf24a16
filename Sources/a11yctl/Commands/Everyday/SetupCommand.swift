// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Switches the programs around the bus on and off for the person who asks.
struct SetupCommand: Command {
  static let name = "setup"
  static let summary = "tell what is switched on; or switch voice, ears and the like on or off"
  static let usage = "[OPTION]... [voice|orca|ears|notifications|braille on|off]"
  static let notes = """
    The voice speaks through speech-dispatcher. With orca on, Orca speaks what the bus decides while
    it runs. The ears hear other programs through AT-SPI, and notifications are those of the
    desktop. With braille on, a display shows through BRLTTY what is spoken. All that is on starts
    by itself whenever you log in. Nothing changes for other users, and nothing needs an
    administrator. Without words setup tells what is on. It ends with 1 when a program that was
    switched on lacks something, and says what.
    """
  static let options: [Flag] = []
  static let common = Flag.explaining

  /// The program to switch, and whether on or off; nil to tell all of them.
  private let wanted: (part: SetupPart, isOn: Bool)?

  init(_ words: CommandWords) throws(Failure) {
    guard let word = words.operands.first else {
      wanted = nil
      return
    }
    let part: SetupPart = try Self.choice(word, among: SetupPart.allCases.map(\.rawValue))
    guard words.operands.count > 1 else {
      throw Failure(.usage, "on or off is expected behind \(part).")
    }
    let state: OnOff = try Self.choice(words.operands[1], among: OnOff.allCases.map(\.rawValue))
    if words.operands.count > 2 {
      throw Failure(.usage, "\(words.operands[2]) is not expected here.")
    }
    wanted = (part, state == .on)
  }

  private enum OnOff: String, CaseIterable {
    case on, off
  }

  private static func choice<Choice: RawRepresentable<String>>(
    _ word: String,
    among names: [String]
  ) throws(Failure) -> Choice {
    if let choice = Choice(rawValue: word) { return choice }
    let question = NearbyNames.question(NearbyNames.to(word, among: names))
    throw Failure(
      .usage,
      "setup expects one of \(names.joined(separator: ", ")); got \(word)\(question)"
    )
  }

  func run(_ output: Output) throws(Failure) {
    try change(by: Setup(facts: MachineFacts()), output)
  }

  func change(by setup: Setup, _ output: Output) throws(Failure) {
    guard let (part, isOn) = wanted else {
      for line in SetupWords.list(setup) { output.line(line) }
      output.line("To switch, name it with on or off, as in: a11yctl setup voice on")
      return
    }
    guard isOn else {
      let after = try setup.switchOff(part)
      if after.isActive { throw Failure(.inputOutput, "\(part.subject) does not end.") }
      output.line(SetupWords.switchedOff(part))
      return
    }
    let after = try setup.switchOn(part)
    output.line(SetupWords.switchedOn(part, after))
    for step in setup.nextSteps(part, after) { output.line(step) }
    try output.flush()
    if setup.lacks(part, after) { throw Failure(.found, nil) }
  }
}
