// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The bus's word that an event is on record.
public struct Receipt: Hashable, Sendable {
  /// Advice on an event that was accepted nevertheless.
  public struct Warning: Hashable, Sendable {
    /// What the advice is about, as a short word.
    public let code: String
    /// The field that it is about.
    public let field: String?
    /// The advice.
    public let message: String
  }

  /// What became of a request for focus.
  public struct Focus: Hashable, Sendable {
    /// `moved`, `kept` or `denied`.
    public let result: String
    /// Why it was denied.
    public let reason: String?
    /// The seq of the focus entry that holds now.
    public let seq: Int64?
  }

  /// The number of the event's entry.
  public let seq: Int64
  /// How safe it is, as in `AcknowledgementLevel`.
  public let durability: String
  /// Whether an event with the same key against duplicates was on record already.
  public let isDuplicate: Bool
  /// Advice on the event.
  public let warnings: [Warning]
  /// What became of its request for focus, if it had one.
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
