// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// What the bus tells a connection that says hello.
public struct ServerInfo: Hashable, Sendable {
  /// How safe acknowledged events are.
  public struct Durability: Hashable, Sendable {
    /// What is reached at present, as in `AcknowledgementLevel`.
    public let level: String
    /// How much a power cut may cost at most.
    public let lossWindow: Duration
    /// Whether the disk does not take what should be on it.
    public let degraded: Bool
  }

  /// The version of the protocol that is spoken.
  public let protocolVersion: Int64
  /// The name and version of the bus.
  public let server: String
  /// The present life of the log's numbering.
  public let epoch: String
  /// The oldest seq that the log still has.
  public let first: Int64
  /// The newest seq.
  public let last: Int64
  /// This connection's number, as entries carry it.
  public let conn: Int64
  /// The user that the bus takes this process for.
  public let uid: UInt32
  /// What this connection may do.
  public let roles: [String]
  /// The bounds of the protocol by their names.
  public let limits: [String: Int64]
  /// How safe acknowledged events are.
  public let durability: Durability
  /// What this bus offers beyond the first version.
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
