// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// What is the case now, as the entries of the log say it.
package struct Model: Sendable {
  package init() {}
  package static func concerns(_ line: Span<UInt8>) -> Bool { false }
  package mutating func forget(_ isMeant: (_ app: String, _ uid: Int64) -> Bool) {}
  package mutating func apply(_ entry: JSONDocument) {}
  package mutating func restore(_ line: JSONDocument) -> Bool { true }
}
package struct Replica {
  package init(_ model: Model) {}
  package mutating func write(into out: inout ByteBuffer, budget: Int) -> Bool { false }
}
