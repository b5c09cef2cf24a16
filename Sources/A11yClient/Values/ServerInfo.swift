// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The bus's introduction of itself, in its answer to hello.
public struct ServerInfo: Hashable, Sendable {
  /// The safety of acknowledged events.
  public struct Durability: Hashable, Sendable {
    /// The level that is reached at present, as in `AcknowledgementLevel`.
    public let level: String
    /// The most time whose events a power cut may cost.
    public let lossWindow: Duration
    /// Whether the disk cannot be written.
    public let degraded: Bool
  }

  /// The version of the protocol on this connection.
  public let protocolVersion: Int64
  /// The name and version of the bus.
  public let server: String
  /// The present epoch of the log.
  public let epoch: String
  /// The oldest seq in the log.
  public let first: Int64
  /// The newest seq.
  public let last: Int64
  /// This connection's number, as entries carry it.
  public let conn: Int64
  /// The user of this process, as the bus sees it.
  public let uid: UInt32
  /// The rights of this connection.
  public let roles: [String]
  /// The bounds of the protocol by their names.
  public let limits: [String: Int64]
  /// The safety of acknowledged events.
  public let durability: Durability
  /// The features of this bus beyond the first version.
  public let features: [String]

  /// The place behind the newest entry at the time of the reply.
  public var cursor: LogCursor { LogCursor(epoch: epoch, seq: last) }

  init(_ reply: JSONValue) {
    protocolVersion = reply["protocol"]?.integer ?? 0
    server = reply["server"]?.string ?? ""
    epoch = reply["epoch"]?.string ?? ""
    first = reply["first"]?.integer ?? 0
    last = reply["last"]?.integer ?? 0
    conn = reply["conn"]?.integer ?? 0
    uid = UInt32(clamping: reply["uid"]?.integer ?? 0)
    roles = reply["roles"]?.list?.compactMap(\.string) ?? []
    limits = Dictionary(
      (reply["limits"]?.members ?? []).compactMap { member in
        member.value.integer.map { (member.name, $0) }
      },
      uniquingKeysWith: { first, _ in first }
    )
    let durability = reply["durability"]
    self.durability = Durability(
      level: durability?["level"]?.string ?? "",
      lossWindow: .milliseconds(durability?["loss_window_ms"]?.integer ?? 0),
      degraded: durability?["degraded"]?.flag ?? false
    )
    features = reply["features"]?.list?.compactMap(\.string) ?? []
  }
}
