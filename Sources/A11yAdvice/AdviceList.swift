// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// One piece of advice to a publisher: what could be better, where, and how.
package struct Advice: Equatable, Sendable {
  package let code: AdviceCode
  /// The way from the request to what it is about.
  package let field: String
  /// A sentence that says what to do.
  package let message: String

  package init(_ code: AdviceCode, field: String, _ message: String) {
    self.code = code
    self.field = field
    self.message = message
  }
}

/// The advice that there is about one event; nearly always none, and then it costs nothing.
package struct AdviceList: Sendable {
  package private(set) var all: [Advice] = []
  private let bound: Int

  /// What a reply holds at most: who has made one mistake a thousand times learns as much from
  /// these, and the log tells the rest.
  package static let ofReply = 16

  package init(bound: Int) { self.bound = bound }

  package var isEmpty: Bool { all.isEmpty }

  /// Nothing more is taken, so that nothing more need be looked for.
  var isFull: Bool { all.count >= bound }

  package mutating func add(_ code: AdviceCode, _ field: String, _ message: String) {
    guard all.count < bound else { return }
    all.append(Advice(code, field: field, message))
  }

  /// Appends it as the member of a reply; nothing where there is none.
  package func writeWarnings(into out: inout ByteBuffer) {
    guard !all.isEmpty else { return }
    out.append(",\"warnings\":[")
    for (index, advice) in all.enumerated() {
      if index > 0 { out.append(",") }
      out.append("{")
      out.append(member: "code", advice.code.rawValue)
      out.append(member: "field", advice.field)
      out.append(member: "msg", advice.message)
      out.append("}")
    }
    out.append("]")
  }
}
