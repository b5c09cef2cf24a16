// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yWire

/// The machines of a fleet about which somebody should know.
struct QuietMachines {
  /// The bounds of what is usual.
  struct Bounds {
    /// Microseconds without an entry or a sign of life.
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

  /// The readings of an engine from which the condition of its machines follows.
  enum Reading: CaseIterable {
    case signs
    case newest
    case entries
  }

  /// Takes an entry, or a sign of life, of a machine in an epoch.
  mutating func include(
    _ line: JSONDocument,
    of machine: String,
    in epoch: String,
    from reading: Reading
  ) {
    guard machines[machine] != nil || machines.count < Self.most else {
      unseen += 1
      return
    }
    switch reading {
    case .signs: machines[machine, default: MachineHealth()].noteSign(line, epoch)
    case .newest: machines[machine, default: MachineHealth()].noteNewest(line, epoch)
    case .entries: machines[machine, default: MachineHealth()].followEntry(line, epoch)
    }
  }

  /// The machines out of bounds, by name.
  func findings(_ bounds: Bounds, now: Int64) -> [Finding] {
    machines.sorted { $0.key < $1.key }.compactMap { machine, health in
      var reasons: [Reason] = []
      if now - health.lastHeardOf > bounds.silence { reasons.append(.silent) }
      if health.lacksReader { reasons.append(.noReader) }
      if let share = health.lostShare, share > bounds.lost { reasons.append(.unheard) }
      return reasons.isEmpty ? nil : Finding(machine: machine, health: health, reasons: reasons)
    }
  }
}
