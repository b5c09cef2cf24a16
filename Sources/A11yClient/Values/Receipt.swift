// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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
