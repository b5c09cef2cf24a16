// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit

/// An engine among faults: one server, or several of which others take over.
protocol FleetEngine: AnyObject {
  var kind: EngineServer.Kind { get }

  /// The tables of `forward.toml` that it needs, behind `[forward]`.
  var settings: String { get }

  /// Whether others take over from a server that is killed.
  var hasSpares: Bool { get }

  /// Links to all its servers; those of one machine alone, where the engine can be reached so.
  func makeLinks() throws -> [EngineLink]

  /// Kills the server that takes the entries of a machine; the result is for `restart`.
  func killLeader(of machine: String) throws -> Int

  func restart(_ place: Int) throws

  /// The newest line of a machine that is confirmed; throws where no server can tell.
  func newest(_ machine: String) throws -> String?

  /// All that the engine has of a machine, in its order; throws where no server can tell.
  func stored(_ machine: String) throws -> [EngineServer.Stored]
}

extension FleetEngine {
  /// The address by which a machine reaches it over its links.
  func address(over links: [EngineLink]) -> String {
    "\(kind.rawValue)://" + links.map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
  }
}

extension EngineServer: FleetEngine {
  var settings: String { "" }
  var hasSpares: Bool { false }

  func makeLinks() throws -> [EngineLink] { [try EngineLink(to: port)] }

  func killLeader(of machine: String) -> Int {
    kill()
    return 0
  }

  func restart(_ place: Int) throws { try start() }
}
