// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The bounds of the wire, by their names in `hello` and `describe`.
///
/// The bounds are part of protocol version 1: clients size their buffers by them. An operator may
/// move those that stand in `Quotas`.
public enum Limits {
  /// A request line without its end: a long text with its characters escaped has room.
  public static let lineBytes = 65_536
  /// A line from the daemon; a `state` may be longer.
  public static let answerBytes = 262_144
  public static let windowsPerApp = 256
  public static let elementsPerApp = 100_000
  public static let labelBytes = 4_096
  public static let textBytes = 32_768
  public static let pending = 64

  /// Identifiers, names of apps, keys of coalescing.
  public static let nameBytes = 128
  /// Request ids and keys against duplicates.
  public static let idBytes = 64
  /// Lines in a row that are no JSON, until the connection is given up.
  public static let badLines = 100
  /// Unknown fields named on one connection; a client with more has been told often enough.
  public static let warnedFields = 256
  /// A day: the longest time that an event may wait for its turn.
  public static let timeToLive: ClosedRange<Int64> = 0...86_400_000
}

/// Bounds that an operator may set: what a connection, an app and a user may take up.
public struct Quotas: Equatable, Sendable {
  /// Bytes that one connection may have sent and that still wait.
  ///
  /// Two lines of the longest kind, so that one can be read while the other is worked on.
  public var inBuffer = 131_072
  /// Bytes of replies that a connection may leave unread before its requests wait.
  ///
  /// One line of the longest kind that the daemon sends.
  public var outBuffer = 262_144
  public var connections = 4_096
  public var connectionsPerUser = 1_024
  /// Bytes of the ids and texts of one app's elements: room for a hundred thousand elements with
  /// 600 bytes each.
  public var elementBytesPerApp = 67_108_864
  /// Bytes of the ids and texts of the elements of all apps of one user.
  public var elementBytesPerUser = 268_435_456

  public init() {}
}
