// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// What the bus says of an entry when it is asked what became of it.
public struct EntryExplanation: Hashable, Sendable {
  /// An entry that has to do with it.
  public struct Relative: Hashable, Sendable {
    /// Its number.
    public let seq: Int64
    /// How it has to do with it, as in `duplicate-of` or `deliver`.
    public let relation: String
  }

  /// What became of it, in one to three sentences for a person.
  public let sentence: String
  /// How it ended, as in `OutcomeEntry`; nil while it has not, and for what has no end.
  public let result: String?
  /// Where it waits, `held`, `queued` or `speaking`; nil where it does not.
  public let pending: String?
  /// The name of the rule that has decided.
  public let rule: String?
  /// Entries that have to do with it.
  public let related: [Relative]
  /// All of the answer.
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
