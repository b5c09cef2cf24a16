// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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
    try order(part, "enable", "--now", Self.bus, part.unit)
    return try known(part)
  }

  /// Ends a program, and has it stay away at the next login.
  func switchOff(_ part: SetupPart) throws(Failure) -> UnitManager.Condition {
    _ = try known(part)
    try order(part, "disable", "--now", part.unit)
    let after = try known(part)
    // The administrator may have switched it on for everybody, which only a mask overrules.
    guard after.isEnabled else { return after }
    try order(part, "mask", part.unit)
    return try known(part)
  }

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

  /// The steps that are left for a person who has switched a program on.
  func nextSteps(_ part: SetupPart, _ condition: UnitManager.Condition) -> [String] {
    var steps: [String] = []
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
