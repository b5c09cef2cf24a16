// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix

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
