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

/// The bus's confirmation that an event is on record.
public struct Receipt: Hashable, Sendable {
  /// Advice on an accepted event.
  public struct Warning: Hashable, Sendable {
    /// The short name of the advice.
    public let code: String
    /// The field that it is about.
    public let field: String?
    /// The advice.
    public let message: String
  }

  /// The bus's decision on a request for the focus.
  public struct Focus: Hashable, Sendable {
    /// `moved`, `kept` or `denied`.
    public let result: String
    /// The reason of a denial.
    public let reason: String?
    /// The seq of the focus entry that holds now.
    public let seq: Int64?
  }

  /// The number of the event's entry.
  public let seq: Int64
  /// The safety that is reached, as in `AcknowledgementLevel`.
  public let durability: String
  /// Whether an event with the same `dedupe` key was on record already.
  public let isDuplicate: Bool
  /// Advice on the event.
  public let warnings: [Warning]
  /// The decision on the event's request for the focus, if it had one.
  public let focus: Focus?

  init(_ reply: JSONValue) throws(ClientError) {
    guard let seq = reply["seq"]?.integer else { throw .malformed(reply.description) }
    self.seq = seq
    durability = reply["durability"]?.string ?? ""
    isDuplicate = reply["duplicate"]?.flag ?? false
    warnings = (reply["warnings"]?.list ?? []).map { warning in
      Warning(
        code: warning["code"]?.string ?? "",
        field: warning["field"]?.string,
        message: warning["msg"]?.string ?? ""
      )
    }
    focus = reply["focus"].map { focus in
      Focus(
        result: focus["result"]?.string ?? "",
        reason: focus["reason"]?.string,
        seq: focus["seq"]?.integer
      )
    }
  }
}

/// The bus's answer to `explain`: the end of an entry, and the reason for it.
public struct EntryExplanation: Hashable, Sendable {
  /// An entry that is related to the explained one.
  public struct Relative: Hashable, Sendable {
    /// Its number.
    public let seq: Int64
    /// The relation, as in `duplicate-of` or `deliver`.
    public let relation: String
  }

  /// The explanation in one to three sentences.
  public let sentence: String
  /// The result, as in `OutcomeEntry`; nil while it waits, and for entries that have no end.
  public let result: String?
  /// The state of a waiting event, `held`, `queued` or `speaking`.
  public let pending: String?
  /// The name of the deciding rule.
  public let rule: String?
  /// The related entries.
  public let related: [Relative]
  /// The whole answer.
  public let answer: JSONValue

  init(_ reply: JSONValue) throws(ClientError) {
    guard let sentence = reply["sentence"]?.string else { throw .malformed(reply.description) }
    self.sentence = sentence
    result = reply["result"]?.string
    pending = reply["pending"]?["state"]?.string
    rule = reply["rule"]?.string
    related = (reply["related"]?.list ?? []).compactMap { relative in
      guard let seq = relative["seq"]?.integer, let relation = relative["relation"]?.string else {
        return nil
      }
      return Relative(seq: seq, relation: relation)
    }
    answer = reply
  }
}
