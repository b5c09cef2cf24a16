// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix

/// The systemd that keeps units: the machine's, or the user's own.
struct UnitManager {
  /// Runs systemctl; nil where there is none.
  typealias Systemctl = (_ arguments: [String]) -> OtherProgram.Answer?

  enum Owner: String {
    case system, user

    /// The beginning of a command line that reaches the manager.
    var command: String { self == .user ? "systemctl --user" : "systemctl" }
  }

  /// The roots of systemd's directories of units, in its order.
  private static let roots = ["/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib"]
  /// A manager that answers at all answers in milliseconds; a unit that is stopped may take 5 s.
  private static let patience = Duration.seconds(15)

  private let isThere: (_ path: String) -> Bool
  private let systemctl: Systemctl

  init(
    isThere: @escaping (_ path: String) -> Bool = { (try? FileIdentity(path: $0)) != nil },
    systemctl: @escaping Systemctl = {
      OtherProgram.answer("systemctl", $0, within: patience)
    }
  ) {
    self.isThere = isThere
    self.systemctl = systemctl
  }

  /// Whether the machine has this unit.
  func has(_ unit: String, of owner: Owner) -> Bool {
    Self.roots.contains { isThere("\($0)/systemd/\(owner.rawValue)/\(unit)") }
  }

  /// Gives a command to a manager; nil where none can be asked.
  func response(of owner: Owner, to words: [String]) -> OtherProgram.Answer? {
    systemctl((owner == .user ? ["--user"] : []) + words)
  }

  /// Gives a command to a manager; true where it was carried out.
  func obeys(_ owner: Owner, _ words: String...) -> Bool {
    response(of: owner, to: words)?.status == 0
  }

  /// The condition of a unit, as its manager tells it.
  struct Condition: Equatable {
    /// The word for whether it runs: `active`, `inactive`, `failed` and others.
    let active: String
    /// The word for whether it starts by itself: `enabled`, `disabled`, `static` and others.
    let file: String
    /// The sentence that the program has last said of itself; empty where it says nothing.
    var status = ""

    var isActive: Bool { active == "active" || active == "activating" || active == "reloading" }
    var isEnabled: Bool { file.hasPrefix("enabled") || file == "static" || file == "linked" }
  }

  /// The condition of a unit; nil where no manager answers.
  func condition(of unit: String, _ owner: Owner) -> Condition? {
    let words = ["show", "--property=ActiveState,UnitFileState,StatusText", unit]
    guard let answer = response(of: owner, to: words), answer.status == 0 else { return nil }
    func value(_ name: String) -> String {
      let line = answer.output.split(separator: "\n").first { $0.hasPrefix("\(name)=") }
      return line.map { String($0.dropFirst(name.count + 1)) } ?? ""
    }
    return Condition(
      active: value("ActiveState"),
      file: value("UnitFileState"),
      status: value("StatusText")
    )
  }
}
