// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yPosix
internal import A11yWire

/// The path of the bus.
public enum BusPath {
  /// The socket that the environment names: `$A11YD_SOCKET`, else the user's own bus under
  /// `$XDG_RUNTIME_DIR`, else the system's.
  public static var standard: String { SocketPath.find(in: Environment.value) }

  /// The same for readers, for which the system's bus has a socket of its own.
  public static var reader: String {
    standard == SocketPath.system ? SocketPath.systemDirectory + "/read.sock" : standard
  }
}
