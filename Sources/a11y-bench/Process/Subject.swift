// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// What a round measures.
enum Subject {
  /// The real thing, by the path of its program.
  case daemon(String)
  /// This program again, as the relay that does nothing.
  case relay

  var name: String {
    switch self {
    case .daemon: "a11yd"
    case .relay: "relay"
    }
  }
}
