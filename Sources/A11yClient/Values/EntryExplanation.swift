// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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
