// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// Lines of a subscription that are no entries.
package enum Mark {
  /// What was the case right after the entry that the cursor names.
  case state(Picture, Cursor)
  case caughtUp(Cursor)
  case checkpoint(Cursor)
  /// Entries that are not to be had any more, both ends included.
  case gap(from: Seq, to: Seq, reason: GapReason)
  /// What is to be spoken at a deliver entry that does not say it.
  case secret(Secret)
  /// Entries for which newer ones stand, in mode `latest`.
  case skipped(count: Int)

  package enum GapReason: String {
    case retention, corruption, storage
  }

  /// How the line of a secret begins, and no other.
  package static var secretBeginning: StaticString { "{\"mark\":\"secret\"" }

  package func write(into out: inout ByteBuffer) {
    switch self {
    case .state(let picture, let cursor):
      out.append("{\"mark\":\"state\",\"cursor\":\"")
      out.append(text: cursor.text)
      out.append("\",\"state\":")
      picture.write(cursor: cursor, into: &out)
      out.append("}\n")
    case .caughtUp(let cursor):
      out.append("{\"mark\":\"caught-up\",\"cursor\":\"")
      out.append(text: cursor.text)
      out.append("\"}\n")
    case .checkpoint(let cursor):
      out.append("{\"mark\":\"checkpoint\",\"cursor\":\"")
      out.append(text: cursor.text)
      out.append("\"}\n")
    case .gap(let from, let to, let reason):
      out.append("{\"mark\":\"gap\",\"from\":")
      out.append(decimal: from.number)
      out.append(",\"to\":")
      out.append(decimal: to.number)
      out.append(",\"reason\":\"")
      out.append(text: reason.rawValue)
      out.append("\"}\n")
    case .secret(let secret):
      out.append(Self.secretBeginning)
      out.append(",\"of\":")
      out.append(decimal: secret.of.number)
      out.append(member: "kind", secret.kind.rawValue)
      out.append(",\"speak\":[")
      out.append(secret.speak.span)
      out.append("]}\n")
    case .skipped(let count):
      out.append("{\"mark\":\"skipped\",\"count\":")
      out.append(decimal: Int64(count))
      out.append("}\n")
    }
  }
}
