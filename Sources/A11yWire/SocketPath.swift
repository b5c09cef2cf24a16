// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The path of the bus's socket, for the daemon and for its clients.
public enum SocketPath {
  /// The socket of the system's bus, for processes that belong to no session.
  public static let system = "\(systemDirectory)/bus.sock"
  /// The directory of the sockets of the system's bus, one for each role.
  public static let systemDirectory = "/run/a11yd"

  /// The path that the environment names, read through `value`.
  ///
  /// An empty variable counts as not set. So does a runtime directory that is not absolute, as its
  /// specification has it: a socket relative to the current directory helps nobody.
  public static func find(in value: (String) -> String?) -> String {
    if let named = value("A11YD_SOCKET"), !named.isEmpty { return named }
    guard let directory = value("XDG_RUNTIME_DIR"), directory.hasPrefix("/") else { return system }
    return directory.hasSuffix("/")
      ? "\(directory)a11yd/bus.sock" : "\(directory)/a11yd/bus.sock"
  }
}
