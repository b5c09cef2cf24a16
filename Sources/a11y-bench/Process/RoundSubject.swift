// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// What a round measures.
enum RoundSubject {
  /// The real thing, by the path of its program.
  case daemon(String)
  case peer(Peer)

  var name: String {
    switch self {
    case .daemon: "a11yd"
    case .peer(let peer): peer.rawValue
    }
  }
}

/// What the daemon takes turns with, so that a figure says something on any machine.
enum Peer: String {
  /// This program again, as the relay that does nothing: what sockets and scheduler allow.
  case relay
  /// A file that is appended to and synchronised: what the medium allows.
  case disk
  /// A table of SQLite that is given the same lines: what a good store makes of it.
  case sqlite = "SQLite"

  /// Whether it can be measured without the daemon; SQLite is given what the daemon has logged.
  var standsAlone: Bool { self != .sqlite }
}
