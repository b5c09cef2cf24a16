// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The daemon or the peer that a round measures.
enum RoundSubject {
  /// The daemon, by the path of its program.
  case daemon(String)
  case peer(Peer)

  var name: String {
    switch self {
    case .daemon: "a11yd"
    case .peer(let peer): peer.rawValue
    }
  }
}

/// The peer with which the daemon takes turns, so that a figure means something on any machine.
enum Peer: String {
  /// This program as the relay that does nothing: the bound of sockets and scheduler.
  case relay
  /// A file that is appended to and synced: the bound of the disk.
  case disk
  /// A table of SQLite with the same lines: a good store.
  case sqlite = "SQLite"

  /// Whether it can be measured without the daemon; SQLite needs the entries that the daemon
  /// logged.
  var standsAlone: Bool { self != .sqlite }
}
