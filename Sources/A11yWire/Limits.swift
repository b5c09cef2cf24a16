// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The bounds of the wire, by their names in `hello` and `describe`.
///
/// The bounds are part of protocol version 1: clients size their buffers by them. An operator may
/// move those that stand in `Quotas`. Each number is written once, here: `hello`, `describe`, the
/// configuration and the checks take it from here.
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

extension Limits {
  /// A limit that clients are told, by its name in `hello` and in the configuration.
  public struct Told: Sendable {
    public let name: StaticString
    /// The thing that is bounded, for `describe` and the manual.
    public let meaning: StaticString
    /// The limit, where the operator has set these quotas.
    public let value: @Sendable (Quotas) -> Int
    /// Whether nobody may move it, because clients are promised it.
    public let isFixed: Bool

    private init(_ name: StaticString, _ value: Int, _ meaning: StaticString) {
      self.name = name
      self.meaning = meaning
      self.value = { _ in value }
      isFixed = true
    }

    private init(
      _ name: StaticString,
      _ value: @escaping @Sendable (Quotas) -> Int,
      _ meaning: StaticString
    ) {
      self.name = name
      self.meaning = meaning
      self.value = value
      isFixed = false
    }

    /// All of them, in the order in which clients are told them.
    public static let all = [
      Told("line_bytes", Limits.lineBytes, "Bytes of a line from a client, without its end."),
      Told("connections", \.connections, "Connections of all users."),
      Told("connections_per_uid", \.connectionsPerUser, "Connections of one user."),
      Told("windows_per_app", Limits.windowsPerApp, "Windows of an app."),
      Told("elements_per_app", Limits.elementsPerApp, "Elements of an app, in all its windows."),
      Told(
        "element_bytes_per_app",
        \.elementBytesPerApp,
        "Bytes of the ids and texts of an app's elements."
      ),
      Told(
        "element_bytes_per_uid",
        \.elementBytesPerUser,
        "Bytes of the ids and texts of the elements of a user's apps."
      ),
      Told("label_bytes", Limits.labelBytes, "Bytes of a label, a value, a hint or a title."),
      Told("text_bytes", Limits.textBytes, "Bytes of a text to speak."),
      Told("in_buffer", \.inBuffer, "Bytes of requests that a connection may have waiting."),
      Told(
        "out_buffer",
        \.outBuffer,
        "Bytes of replies that a connection may leave unread before its requests wait."
      ),
      Told("pending", Limits.pending, "Events that wait to be spoken."),
      Told(
        "log_bytes_per_uid",
        \.logBytesPerUser,
        "Bytes that a user may add to the log in a day on the publish socket; 0: no limit."
      ),
    ]
  }
}

/// The limits that an operator may move, with their defaults.
public struct Quotas: Equatable, Sendable {
  /// Bytes that one connection may have sent and that are not worked on yet.
  ///
  /// Two lines of the longest kind, so that one can be read while the other is worked on.
  public var inBuffer = 2 * Limits.lineBytes
  /// Bytes of replies that a connection may leave unread before its requests wait.
  ///
  /// One line of the longest kind that the daemon sends.
  public var outBuffer = Limits.answerBytes
  public var connections = 4_096
  public var connectionsPerUser = 1_024
  /// Bytes of the ids and texts of one app's elements: room for a hundred thousand elements with
  /// 600 bytes each.
  public var elementBytesPerApp = 67_108_864
  /// Bytes of the ids and texts of the elements of all apps of one user.
  public var elementBytesPerUser = 268_435_456
  /// Bytes that one user may add to the log in a day through the socket for applications, an eighth
  /// of what the log keeps; 0: no limit.
  public var logBytesPerUser = 33_554_432
  /// The users who have no such limit.
  public var unlimitedUsers: Set<UInt32> = []

  public init() {}
}
