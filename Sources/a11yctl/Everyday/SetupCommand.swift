// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11ySpeech

/// Switches the programs around the bus on and off for the person who asks.
struct SetupCommand: Command {
  static let name = "setup"
  static let summary = "tell what is switched on; or switch voice, ears and the like on or off"
  static let usage = "[OPTION]... [voice|orca|ears|notifications|braille|door on|off]"
  static let notes = """
    The voice speaks through speech-dispatcher. With orca on, Orca speaks what the bus decides while
    it runs. The ears hear other programs through AT-SPI, and notifications are those of the
    desktop. With braille on, a display shows through BRLTTY what is spoken. With the door on,
    programs that speak through speech-dispatcher, as Orca does, speak through the bus, and the
    voice is switched on with it. All that is on starts by itself whenever you log in. Nothing
    changes for other users, and nothing needs an administrator. Without words setup tells what is
    on. It ends with 1 when a program that was switched on lacks something, and says what.
    """

  @Operands private var words: [String]

  /// The program to switch, and whether on or off; nil to tell all of them.
  private func wanted() throws(Failure) -> (part: SetupPart, isOn: Bool)? {
    guard let word = words.first else { return nil }
    let part: SetupPart = try Self.choice(word, among: SetupPart.allCases.map(\.rawValue))
    guard words.count > 1 else { throw Failure(.usage, "on or off is expected behind \(part).") }
    let state: OnOff = try Self.choice(words[1], among: OnOff.allCases.map(\.rawValue))
    try words.refuse(behind: 2)
    return (part, state == .on)
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
    guard let (part, isOn) = try wanted() else {
      output.lines(SetupWords.list(setup) + setup.assistants.map(SetupWords.assistant))
      output.line("To switch, name it with on or off, as in: a11yctl setup voice on")
      return
    }
    guard isOn else {
      let after = try setup.switchOff(part)
      if after.isActive { throw Failure(.inputOutput, "\(part.subject) does not end.") }
      output.line(SetupWords.switchedOff(part))
      if part == .door { output.line(SetupWords.doorLeft) }
      return
    }
    let after = try setup.switchOn(part)
    output.line(SetupWords.switchedOn(part, after))
    output.lines(setup.nextSteps(part, after))
    try output.flush()
    if setup.lacks(part, after) { throw Failure(.found, nil) }
  }
}

/// The programs around the bus as a person has them: on, off or not there.
struct Setup {
  /// The bus itself, which everything that is switched on needs.
  static let bus = "a11yd.socket"

  let facts: MachineFacts

  private var units: UnitManager { facts.units }

  /// The condition of a program around the bus.
  enum State: Equatable {
    case isMissing
    /// No systemd of this user answers.
    case isUnknown
    case isKnown(UnitManager.Condition)
  }

  func state(of unit: String) -> State {
    guard units.has(unit, of: .user) else { return .isMissing }
    return units.condition(of: unit, .user).map(State.isKnown) ?? .isUnknown
  }

  /// Starts a program now and at each login, and the bus with it.
  func switchOn(_ part: SetupPart) throws(Failure) -> UnitManager.Condition {
    let before = try known(part)
    if before.file.hasPrefix("masked") { try order(part, "unmask", part.unit) }
    if part == .door { try lead(through: true) }
    try order(part, "enable", "--now", Self.bus, part.unit)
    // Behind the door the voice speaks.
    if part == .door, state(of: SetupPart.voice.unit) != .isMissing {
      try order(part, "enable", "--now", SetupPart.voice.unit)
    }
    return try known(part)
  }

  /// Ends a program, and has it stay away at the next login.
  func switchOff(_ part: SetupPart) throws(Failure) -> UnitManager.Condition {
    _ = try known(part)
    if part == .door { try lead(through: false) }
    try order(part, "disable", "--now", part.unit)
    if part == .door { try order(part, "stop", "\(part.program).service") }
    let after = try known(part)
    // The administrator may have switched it on for everybody, which only a mask overrules.
    guard after.isEnabled else { return after }
    try order(part, "mask", part.unit)
    return try known(part)
  }

  /// Has the session's programs look for speech-dispatcher at the door, or where it is usual.
  ///
  /// A file of environment.d counts from the next login, and the manager's own environment for what
  /// it starts from now on.
  private func lead(through isDoor: Bool) throws(Failure) {
    guard let home = ConfigHome.find(in: facts.environment) else {
      throw Failure(.unreachable, "There is neither XDG_CONFIG_HOME nor HOME.")
    }
    let folder = "\(home)/environment.d"
    let file = "\(folder)/\(Self.environmentFile)"
    do throws(Errno) {
      if isDoor {
        try Directory.create(folder, mode: 0o755)
        try PrivateFile.replace(file, with: Self.environment)
      } else {
        try File.unlink(file)
      }
    } catch {
      guard !isDoor, error == .noSuchFile || error == .notDirectory else {
        throw Failure(.inputOutput, "\(file) cannot be changed: \(error).")
      }
    }
    guard isDoor else {
      return try order(.door, "unset-environment", Self.variable, Self.variableOfEmacs)
    }
    let place = SpeechAddress.door(environment: facts.environment) ?? ""
    try order(
      .door,
      "set-environment",
      "\(Self.variable)=\(SpeechAddress.prefix)\(place)",
      "\(Self.variableOfEmacs)=\(place)"
    )
  }

  private static let variable = "SPEECHD_ADDRESS"
  /// The one variable that speechd-el, the reader in Emacs, looks at.
  private static let variableOfEmacs = "SPEECHD_SOCK"
  private static let environmentFile = "60-a11yd-door.conf"
  private static let environment = """
    # Written by a11yctl setup door on, and removed by off.
    \(variable)=\(SpeechAddress.prefix)${XDG_RUNTIME_DIR}/a11yd/ssip.sock
    \(variableOfEmacs)=${XDG_RUNTIME_DIR}/a11yd/ssip.sock

    """

  private func known(_ part: SetupPart) throws(Failure) -> UnitManager.Condition {
    switch state(of: part.unit) {
    case .isKnown(let condition): return condition
    case .isMissing: throw Failure(.unreachable, SetupWords.missing(part))
    case .isUnknown: throw Failure(.unreachable, SetupWords.noManager)
    }
  }

  private func order(_ part: SetupPart, _ words: String...) throws(Failure) {
    guard let answer = units.response(of: .user, to: words) else {
      throw Failure(.unreachable, SetupWords.noManager)
    }
    guard answer.status == 0 else {
      throw Failure(.inputOutput, SetupWords.refused(part, words, answer.output))
    }
  }

  /// The assistants that are installed, and whether they tell the bus what they do.
  var assistants: [(program: HookProgram, isHooked: Bool)] {
    HookProgram.allCases.compactMap { program in
      guard let (command, settings) = program.place, facts.isInstalled(command) else { return nil }
      let text = facts.environment("HOME").flatMap { facts.content("\($0)/\(settings)") } ?? ""
      return (program, text.contains("a11yctl") && text.contains(program.rawValue))
    }
  }

  /// The steps that are left for a person who has switched a program on.
  func nextSteps(_ part: SetupPart, _ condition: UnitManager.Condition) -> [String] {
    var steps: [String] = []
    if part == .door { steps.append(SetupWords.doorEntered) }
    if let need = lackedProgram(part) {
      steps.append(SetupWords.lacks(need.program, facts.installing(need.package)))
    } else if !condition.isActive {
      steps.append(SetupWords.idle(part))
    }
    if let user = facts.environment("USER"), !isGraphical, !isLingering(user) {
      steps.append(SetupWords.endsWithSession)
    }
    return steps
  }

  /// Whether what was switched on cannot do its work yet.
  func lacks(_ part: SetupPart, _ condition: UnitManager.Condition) -> Bool {
    !condition.isActive || lackedProgram(part) != nil
  }

  private func lackedProgram(_ part: SetupPart) -> (program: String, package: String)? {
    part.need.flatMap { facts.isInstalled($0.program) ? nil : $0 }
  }

  private var isGraphical: Bool {
    ["x11", "wayland", "mir"].contains(facts.environment("XDG_SESSION_TYPE"))
  }

  /// Whether the user's systemd runs from the start of the machine, without a session.
  private func isLingering(_ user: String) -> Bool {
    facts.isThere("/var/lib/systemd/linger/\(user)")
  }
}

/// A program around the bus that a person switches on and off.
enum SetupPart: String, CaseIterable {
  case voice, orca, ears, notifications, braille, door

  /// The unit of systemd that keeps it.
  var unit: String { self == .door ? "\(program).socket" : "\(program).service" }

  /// The name of the unit without its ending.
  var program: String {
    switch self {
    case .voice: "a11y-speech"
    case .orca: "a11y-mouth"
    case .ears: "a11y-ears"
    case .notifications: "a11y-notifications"
    case .braille: "a11y-braille"
    case .door: "a11y-ssip"
    }
  }

  /// The subject of a sentence about it.
  var subject: String {
    switch self {
    case .voice: "The voice"
    case .orca: "Speech through Orca"
    case .ears: "The hearing of other programs"
    case .notifications: "The hearing of notifications"
    case .braille: "The braille display"
    case .door: "The door for speech-dispatcher's programs"
    }
  }

  /// The program of another package that it cannot do without, with that package.
  var need: (program: String, package: String)? {
    switch self {
    case .voice, .door: ("speech-dispatcher", "speech-dispatcher")
    case .orca: ("orca", "orca")
    case .braille: ("brltty", "brltty")
    case .ears, .notifications: nil
    }
  }
}

/// The programs around the bus, and the changes to them, as sentences.
enum SetupWords {
  /// The condition of the bus, and of all programs around it, a line each.
  static func list(_ setup: Setup) -> [String] {
    let bus = stateLine("The bus", setup.state(of: Setup.bus), mending: "a11yctl doctor")
    let parts = SetupPart.allCases.map { part in
      stateLine(part.subject, setup.state(of: part.unit), mending: "a11yctl setup \(part) on")
    }
    return [bus] + parts
  }

  private static func stateLine(_ subject: String, _ state: Setup.State, mending: String) -> String
  {
    switch state {
    case .isMissing: "\(subject) is not installed."
    case .isUnknown: "\(subject) is installed; no systemd of this user answers."
    case .isKnown(let condition):
      switch (condition.isActive, condition.isEnabled) {
      case (true, true): "\(subject) is on."
      case (true, false):
        "\(subject) is on, and does not start by itself at the next login. Try: \(mending)"
      case (false, true): "\(subject) is on, but does not run. Try: \(mending)"
      case (false, false):
        condition.active == "failed"
          ? "\(subject) has failed. Try: \(mending)" : "\(subject) is off."
      }
    }
  }

  static func assistant(_ program: HookProgram, isHooked: Bool) -> String {
    isHooked
      ? "\(program.spoken) tells the bus what it wants and when it is done."
      : "\(program.spoken) is installed, and tells the bus nothing. Try: a11yctl hook --help"
  }

  static func switchedOn(_ part: SetupPart, _ condition: UnitManager.Condition) -> String {
    condition.isActive
      ? "\(part.subject) is on, now and whenever you log in."
      : "\(part.subject) is switched on, but does not run."
  }

  static func switchedOff(_ part: SetupPart) -> String {
    "\(part.subject) is off until you say a11yctl setup \(part) on."
  }

  static func missing(_ part: SetupPart) -> String {
    "\(part.subject) is not installed: systemd has no unit \(part.unit) for users."
      + " The package a11y-readers has it, and so has make install."
  }

  static let noManager = """
    No systemd of this user answers, so nothing can be switched. One runs in a session that you \
    log into yourself, but not in one of sudo or su. Try: loginctl user-status
    """

  static func refused(_ part: SetupPart, _ words: [String], _ output: String) -> String {
    let command = (["systemctl", "--user"] + words).joined(separator: " ")
    let last = output.split(separator: "\n").last.map { ": \($0)" } ?? "."
    return "\(command) went wrong\(last)"
  }

  static let doorEntered = """
    Programs that run speak as before until they are started anew, Orca too: orca --replace. What \
    a terminal starts speaks through the door from the next login on.
    """

  static let doorLeft = """
    Programs that were started meanwhile look for the door, and are silent until they are started \
    anew, Orca too: orca --replace. Terminals forget it with the next login.
    """

  // MARK: Next steps

  static func lacks(_ program: String, _ remedy: String?) -> String {
    "The program \(program) is missing." + (remedy.map { " Try: \($0)" } ?? "")
  }

  static func idle(_ part: SetupPart) -> String {
    "Its own words about that are in the journal. Try: systemctl --user status \(part.unit)"
  }

  static let endsWithSession = """
    It ends with your last session. To have it run from the start of the machine, try: \
    loginctl enable-linger
    """
}
