// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// What a connection has asked for that only the log can do, in more time than a turn has.
///
/// Until it is done, nothing that the connection has sent after it is worked on.
package enum Errand {
  case inquiry(Inquiry)
  /// To say what became of an entry, with the id as it was written.
  case explain(Explanation, id: [UInt8])
  /// To take entries out of the log, and to say how many, with the id as it was written.
  case forget(Selection, id: [UInt8])

  /// The line that says what became of an entry.
  package static func answer(
    _ explanation: Explanation,
    id: [UInt8],
    into out: inout ByteBuffer
  ) {
    if let refusal = explanation.refusal {
      out.append("{\"id\":")
      out.append(id.span)
      out.append(",\"err\":")
      out.append(refusal)
      out.append("}\n")
      return
    }
    out.append("{\"id\":")
    out.append(id.span)
    out.append(",\"ok\":{")
    explanation.write(into: &out)
    out.append("}}\n")
  }

  /// The line that says how many entries were forgotten.
  package static func answer(count: Int64, id: [UInt8], into out: inout ByteBuffer) {
    guard !id.isEmpty else { return }
    out.append("{\"id\":")
    out.append(id.span)
    out.append(",\"ok\":{")
    out.append(member: "count", count)
    out.append("}}\n")
  }
}
