// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Advice on starting a bus that was not found, by the units of this machine.
struct StartAdvice {
  private let units: UnitManager

  init(_ units: UnitManager = UnitManager()) { self.units = units }

  /// A unit with the manager that keeps it.
  struct Unit: Equatable {
    let name: String
    let owner: UnitManager.Owner
  }

  /// The unit of the socket at this path, if this machine has one.
  func unit(of path: String) -> Unit? {
    let unit: Unit
    if path.hasPrefix("/run/a11yd/") {
      let name = path.dropFirst("/run/a11yd/".count).prefix { $0 != "." }
      // The link bus.sock leads to the socket for publishing.
      unit = Unit(name: "a11yd-\(name == "bus" ? "publish" : name).socket", owner: .system)
    } else if path.hasSuffix("/a11yd/bus.sock") {
      unit = Unit(name: "a11yd.socket", owner: .user)
    } else {
      return nil
    }
    return units.has(unit.name, of: unit.owner) ? unit : nil
  }

  /// The command that starts the bus for this path.
  func command(for path: String) -> String {
    guard let unit = unit(of: path) else { return "a11yd --socket \(path)" }
    return "\(unit.owner.command) start \(unit.name)"
  }

  /// The advice for the bus at this path.
  func advice(for path: String) -> String { "Is it running? Try: \(command(for: path))" }
}
