// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Where the bus listens, for whoever opens that socket and for whoever connects to it.
public enum SocketPath {
  /// Where the system's bus listens, for processes that belong to no session.
  public static let system = "\(systemDirectory)/bus.sock"
  /// Where the sockets of the system's bus stand, one for each role.
  public static let systemDirectory = "/run/a11yd"

  /// The path that the environment names, read through `value`.
  ///
  /// An empty variable counts as not set. So does a runtime directory that is not absolute: its
  /// specification says so, and a socket relative to wherever one happens to stand helps nobody.
  public static func find(in value: (String) -> String?) -> String {
    if let named = value("A11YD_SOCKET"), !named.isEmpty { return named }
    guard let directory = value("XDG_RUNTIME_DIR"), directory.hasPrefix("/") else { return system }
    return directory.hasSuffix("/")
      ? "\(directory)a11yd/bus.sock" : "\(directory)/a11yd/bus.sock"
  }
}
