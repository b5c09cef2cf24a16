// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// One piece of advice to a publisher: what could be better, where, and how.
package struct Advice: Equatable, Sendable {
  package let code: AdviceCode
  /// The path from the request to the field that it is about.
  package let field: String
  /// A sentence that says what to do.
  package let message: String

  package init(_ code: AdviceCode, field: String, _ message: String) {
    self.code = code
    self.field = field
    self.message = message
  }
}

/// The advice about one event; nearly always none, which costs nothing.
package struct AdviceList: Sendable {
  package private(set) var all: [Advice] = []
  private let bound: Int

  /// The most advice in a reply: a mistake made a thousand times is understood after these, and
  /// `a11yctl lint` finds the rest in the log.
  package static let ofReply = 16

  package init(bound: Int) { self.bound = bound }

  package var isEmpty: Bool { all.isEmpty }

  /// Whether no more advice is taken, so that checks may stop.
  var isFull: Bool { all.count >= bound }

  package mutating func add(_ code: AdviceCode, _ field: String, _ message: String) {
    guard all.count < bound else { return }
    all.append(Advice(code, field: field, message))
  }

  /// Appends the advice as a member of a reply; nothing for an empty list.
  package func writeWarnings(into out: inout ByteBuffer) {
    guard !all.isEmpty else { return }
    // The buffer may be empty, or hold the notes of other replies.
    out.append(",\"warnings\":")
    out.array(of: all) { out, advice in
      out.object {
        $0.append(member: "code", advice.code.rawValue)
        $0.append(member: "field", advice.field)
        $0.append(member: "msg", advice.message)
      }
    }
  }
}
