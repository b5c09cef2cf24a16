// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yWire

/// The machines of a fleet about which somebody should know.
struct QuietMachines {
  /// The bounds of what is usual.
  struct Bounds {
    /// Microseconds without an entry.
    var silence: Int64
    /// Lost texts of a hundred.
    var lost: Int64
  }

  /// A machine, and the reasons for which it is told.
  struct Finding {
    let machine: String
    let health: MachineHealth
    let reasons: [Reason]
  }

  enum Reason: String {
    case silent
    case noReader = "no-reader"
    case unheard
  }

  /// More machines than these are counted, and not looked at.
  static let most = 65_536

  private(set) var machines: [String: MachineHealth] = [:]
  /// The entries of machines that are not looked at.
  private(set) var unseen: Int64 = 0

  mutating func includeEntry(
    _ machine: String,
    _ entry: JSONDocument,
    isNewest: Bool
  ) {
    guard machines[machine] != nil || machines.count < Self.most else {
      unseen += 1
      return
    }
    if isNewest {
      machines[machine, default: MachineHealth()].noteNewest(entry)
    } else {
      machines[machine, default: MachineHealth()].followEntry(entry)
    }
  }

  /// The machines out of bounds, by name.
  func findings(_ bounds: Bounds, now: Int64) -> [Finding] {
    machines.sorted { $0.key < $1.key }.compactMap { machine, health in
      var reasons: [Reason] = []
      if now - health.lastTime > bounds.silence { reasons.append(.silent) }
      if health.hasReader == false { reasons.append(.noReader) }
      if let share = health.lostShare, share > bounds.lost { reasons.append(.unheard) }
      return reasons.isEmpty ? nil : Finding(machine: machine, health: health, reasons: reasons)
    }
  }
}
