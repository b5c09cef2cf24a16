// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// A line of a subscription that is no entry.
package enum Mark {
  /// The state right after the entry that the cursor names.
  case state(Picture, Cursor)
  case caughtUp(Cursor)
  case checkpoint(Cursor)
  /// Entries that are gone, both ends included.
  case gap(from: Seq, to: Seq, reason: GapReason)
  /// Words that are to be spoken at a deliver entry that withholds them.
  case secret(Secret)
  /// Entries that were left out for newer ones, in mode `latest`.
  case skipped(count: Int)

  package enum GapReason: String {
    case retention, corruption, storage
  }

  /// The beginning of a secret's line, and of no other.
  package static var secretBeginning: StaticString { "{\"mark\":\"secret\"" }

  package func write(into out: inout ByteBuffer) {
    out.object { out in
      switch self {
      case .state(let picture, let cursor):
        out.append(member: "mark", "state")
        out.append(member: "cursor", cursor.text)
        out.append(member: "state")
        picture.writeState(cursor: cursor, into: &out)
      case .caughtUp(let cursor):
        out.append(member: "mark", "caught-up")
        out.append(member: "cursor", cursor.text)
      case .checkpoint(let cursor):
        out.append(member: "mark", "checkpoint")
        out.append(member: "cursor", cursor.text)
      case .gap(let from, let to, let reason):
        out.append(member: "mark", "gap")
        out.append(member: "from", from.number)
        out.append(member: "to", to.number)
        out.append(member: "reason", reason.rawValue)
      case .secret(let secret):
        // As `secretBeginning` has it.
        out.append(member: "mark", "secret")
        out.append(member: "of", secret.of.number)
        out.append(member: "kind", secret.kind.rawValue)
        if secret.kind == .action {
          out.append(member: "name")
          out.append(secret.speak.span)
        } else {
          out.append(member: "speak")
          out.append("[")
          out.append(secret.speak.span)
          out.append("]")
        }
      case .skipped(let count):
        out.append(member: "mark", "skipped")
        out.append(member: "count", Int64(count))
      }
    }
    out.append("\n")
  }
}
