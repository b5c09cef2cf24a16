// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yExplain
package import A11yWire

/// A request that only the log or the files can answer, in more time than a turn has.
///
/// Until it is answered, later lines of its connection wait. It is large and rare, so that a
/// session has no more than a reference to it.
package indirect enum Errand {
  case inquiry(Inquiry)
  /// To explain what became of an entry, with the id as it was written.
  case explain(Investigation, id: [UInt8])
  /// To forget entries, with the id as it was written.
  case forget(Selection, id: [UInt8])
  /// To read configuration and rules again, with the id as it was written.
  case reload(id: [UInt8])

  /// Appends the answer to `explain`.
  package static func answer(
    _ investigation: Investigation,
    id: [UInt8],
    into out: inout ByteBuffer
  ) {
    out.object { out in
      out.append(member: "id")
      out.append(id.span)
      if let refusal = investigation.refusal {
        out.append(member: "err")
        out.appendRefusal(refusal)
      } else {
        out.object("ok") { investigation.writeAnswer(into: &$0) }
      }
    }
    out.append("\n")
  }

  /// Appends the answer to `forget`: the number of entries.
  package static func answer(count: Int64, id: [UInt8], into out: inout ByteBuffer) {
    guard !id.isEmpty else { return }
    out.object { out in
      out.append(member: "id")
      out.append(id.span)
      out.object("ok") { $0.append(member: "count", count) }
    }
    out.append("\n")
  }
}
