// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Names and numbers by which the daemon introduces itself.
public enum Protocol {
  public static let version: Int64 = 1
  public static let release = "0.1.0"
  public static let server = "a11yd/\(release)"
  /// The longest time after `written` within which a loss of power can still lose an event.
  public static let longestLossMilliseconds: Int64 = 1_000
  public static let features = [
    "publish", "subscribe", "filter", "dedupe", "forget", "state", "rules", "explain", "reload",
  ]
}

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
