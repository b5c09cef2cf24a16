// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yPosix
internal import A11yWire

/// The path of the bus.
public enum BusPath {
  /// The socket that the environment names: `$A11YD_SOCKET`, else the user's own bus under
  /// `$XDG_RUNTIME_DIR`, else the system's.
  public static var standard: String { SocketPath.find(in: Environment.value) }
}
