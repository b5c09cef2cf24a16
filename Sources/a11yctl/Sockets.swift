// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yWire
import Glibc

/// The sockets at which a command may find a bus that meets its need.
///
/// A named socket is the only one. Otherwise the user's own bus is asked; where there is none, the
/// system's, at the first of its sockets that this process may open and that grants the need.
struct Sockets {
  /// A socket, with its role if the name tells it.
  struct Choice: Equatable {
    let path: String
    let role: Role?
  }

  private let named: String?
  private let own: String?
  private let directory: String

  /// The sockets that an environment leads to; `directory` holds those of the system's bus.
  init(in environment: (String) -> String?, directory: String = SocketPath.systemDirectory) {
    let path = SocketPath.find(in: environment)
    named = environment("A11YD_SOCKET") == path ? path : nil
    own = named == nil && path != SocketPath.system ? path : nil
    self.directory = directory
  }

  static var ofThisProcess: Sockets { Sockets(in: Environment.value) }

  /// The system's sockets in the order of their rights.
  private static let roles: [Role] = [.control, .read, .publish]

  /// The socket for what `command` needs; `option` names one outright.
  func choose(
    for need: Need,
    of command: String,
    option: String?
  ) throws(Failure) -> Choice {
    if let path = option ?? named {
      let choice = Choice(path: path, role: Self.role(of: path))
      if let role = choice.role, !need.isMet(by: role) {
        throw Failure(
          .refused,
          "\(command) is not for the \(role.rawValue) socket, \(path); "
            + "\(list(need, in: Self.directory(of: path))) would do."
        )
      }
      return choice
    }
    let there = Self.roles.filter { Self.exists(path(of: $0)) }
    if let own, Self.exists(own) || there.isEmpty { return Choice(path: own, role: nil) }
    let fitting = there.filter(need.isMet)
    if let role = fitting.first(where: { Self.mayOpen(path(of: $0)) }) {
      return Choice(path: path(of: role), role: role)
    }
    guard !there.isEmpty else { return Choice(path: "\(directory)/bus.sock", role: nil) }
    throw Failure(
      .unreachable,
      "\(command) needs \(list(need, in: directory)), which this user may not open."
        + (need.isMet(by: .read) ? " The group a11y-readers may open read.sock." : "")
    )
  }

  private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Connecting to a socket takes the right to write to it.
  private static func mayOpen(_ path: String) -> Bool { access(path, W_OK) == 0 }

  private static func resolve(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private func path(of role: Role) -> String { "\(directory)/\(role.rawValue).sock" }

  private func list(_ need: Need, in directory: String) -> String {
    let paths = Self.roles.filter(need.isMet).map { "\(directory)/\($0.rawValue).sock" }
    return paths.joined(separator: " or ")
  }

  private static func directory(of path: String) -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return parts.isEmpty ? "." : parts.joined(separator: "/")
  }

  /// The role in the name of a socket, to which the path may be a link.
  private static func role(of path: String) -> Role? {
    let target = resolve(path) ?? path
    return roles.first { target.hasSuffix("/\($0.rawValue).sock") }
  }
}

/// The option `--socket`, and the bus to which it, or the environment, leads.
final class BusSocket: CommandOption {
  let name = "socket"
  let placeholder: String? = "PATH"
  let explanation: String
  /// The path that was given.
  private(set) var path: String?
  var isGiven: Bool { path != nil }
  private var call: Invocation?

  init(_ explanation: String = "connect to the bus here") { self.explanation = explanation }

  func take(_ given: [CommandLineOptions.Given], _ call: Invocation) {
    path = given.last?.value
    self.call = call
  }

  /// The socket of a bus that meets the command's need.
  func choice(for need: Need) throws(Failure) -> Sockets.Choice {
    let sockets = call?.sockets ?? .ofThisProcess
    return try sockets.choose(for: need, of: call?.command ?? "a11yctl", option: path)
  }

  /// The path of that socket.
  func callAsFunction(for need: Need) throws(Failure) -> String { try choice(for: need).path }

  /// The bus's answer to a request without fields.
  func ask(_ operation: StaticString, for need: Operation) throws(Failure) -> JSONValue {
    try a11yctl.ask(self(for: .operation(need)), operation)
  }
}

/// The rights that a command needs.
enum Need {
  case operation(Operation)
  case publishing(EventType)
  /// Being a reader: receiving deliveries, and reporting.
  case listening
  /// Following everything, and acting for the user.
  case acting

  func isMet(by role: Role) -> Bool {
    switch self {
    case .operation(let operation): role.mayAsk(operation)
    case .publishing(let type): role.mayPublish(type)
    case .listening: role == .read || role == .bus
    case .acting: role.mayAsk(.state) && role.mayPublish(.action)
    }
  }
}

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
