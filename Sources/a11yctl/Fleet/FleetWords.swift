// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix

/// The machines of a fleet, as sentences.
enum FleetWords {
  static func sentence(_ finding: QuietMachines.Finding, now: Int64) -> String {
    let health = finding.health
    let parts = finding.reasons.map { reason in
      switch reason {
      case .silent: silence(health, now)
      case .noReader: "no screen reader is connected"
      case .unheard:
        "\(health.lost) of \(SeqWords.count(health.heard + health.lost, "text", "texts")) "
          + "\(health.lost == 1 ? "was" : "were") not heard"
      }
    }
    return VisibleText.of("\(finding.machine): \(parts.joined(separator: "; ")).")
  }

  private static func silence(_ health: MachineHealth, _ now: Int64) -> String {
    guard health.lastHeardOf > 0 else { return "no entry tells a time" }
    let missing = health.lastSign > 0 ? "sign of life" : "entry"
    return "no \(missing) for \(AgeWords.length(microseconds: now - health.lastHeardOf))"
  }

  static func sum(_ found: Int, of all: Int) -> String {
    if all == 0 { return "No machine has sent anything." }
    let machines = SeqWords.count(Int64(all), "machine", "machines")
    return found == 0
      ? "All is well on \(machines)." : "\(found) of \(machines) should be looked at."
  }

  /// The line about a machine's newest entry and its last sign of life.
  static func newest(_ machine: String, _ health: MachineHealth, now: Int64) -> String {
    let age = health.lastTime > 0 ? ", \(AgeWords.age(of: health.lastTime, now: now))" : ""
    let entry = health.last > 0 ? "the last entry is \(health.last)\(age)" : "no entries"
    let sign =
      health.lastSign > 0
      ? "; the last sign of life, \(AgeWords.age(of: health.lastSign, now: now))" : ""
    return VisibleText.of("\(machine): \(entry)\(sign).")
  }

  static func missing(_ count: Int64) -> String {
    "\(SeqWords.count(count, "entry", "entries")) of other machines "
      + "\(count == 1 ? "was" : "were") not looked at: "
      + "a list holds \(QuietMachines.most) machines."
  }

  /// The line in front of the first entry of another life.
  static func anotherLife(_ epoch: String) -> String {
    VisibleText.of("The machine has another log from here on, in epoch \(epoch.prefix(8)).")
  }
}
