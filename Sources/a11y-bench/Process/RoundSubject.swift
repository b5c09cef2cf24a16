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

  /// The server of others that it is, whose load is a program in C.
  var server: Peer? {
    if case .peer(let peer) = self, peer.word != nil { return peer }
    return nil
  }

  /// Whether a subscriber can leave out lines that it does not want.
  var filters: Bool {
    switch self {
    case .daemon, .peer(.nats), .peer(.mosquitto), .peer(.dbus): true
    case .peer(.relay), .peer(.sealingRelay), .peer(.redis), .peer(.disk), .peer(.sqlite): false
    }
  }
}
