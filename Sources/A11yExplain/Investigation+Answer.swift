// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yPresenter
package import A11yWire

extension Investigation {
  /// The account, once it is complete; nil where it cannot be told.
  package var result: Account? {
    guard case .done = phase, refusal == nil else { return nil }
    return account
  }

  /// In the order of their seqs.
  package var related: [Relative] { relatives.sorted { $0.seq < $1.seq } }

  /// The entry that was asked about, as it is stored.
  package var entryLine: [UInt8] { quoted }

  /// Appends the members of the answer.
  package func writeAnswer(into out: inout ByteBuffer) {
    guard let account else { return }
    out.append(member: "entry")
    out.append(quoted.span)
    out.append(member: "outcome")
    if quotedOutcome.isEmpty { out.append("null") } else { out.append(quotedOutcome.span) }
    if case .pending(let pending, _) = account.openness, account.ending == nil {
      out.object("pending") { out in
        out.append(member: "state", pending.state.rawValue)
        out.append(member: "by")
        if let by = pending.by { out.append(json: by.rawValue) } else { out.append("null") }
        out.append(member: "due")
        if let due = pending.due {
          out.append(decimal: due.microseconds)
        } else {
          out.append("null")
        }
      }
    }
    if let ending = account.ending { out.append(member: "result", ending.result) }
    out.append(member: "rule")
    if let rule = account.rule { out.append(json: rule) } else { out.append("null") }
    out.append(member: "why")
    if quotedWhy.isEmpty { out.append("{}") } else { out.append(quotedWhy.span) }
    out.array("related", of: related) { out, relative in
      out.object { out in
        out.append(member: "seq", relative.seq.number)
        out.append(member: "relation", relative.relation.rawValue)
      }
    }
    out.append(member: "sentence", Sentences.about(account))
  }
}

extension Account {
  /// The rule that has decided, or that it waits for.
  package var rule: String? {
    if let ending { return ending.rule }
    if case .pending(let pending, _) = openness { return pending.rule }
    return nil
  }
}
