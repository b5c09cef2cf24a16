// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// A script's `hello`: who comes, and by which socket.
struct Greeting {
  /// The socket; nil where the script leaves it open.
  private(set) var role: Role?
  private(set) var uid: UInt32?
  private let object: JSONIndex

  /// The words of a script for the sockets.
  private enum Word: String, CaseIterable {
    case publish, reader, control, bus

    var role: Role {
      switch self {
      case .publish: .publish
      case .reader: .read
      case .control: .control
      case .bus: .bus
      }
    }
  }

  init(_ object: JSONIndex, in line: JSONDocument) throws(Refusal) {
    self.object = object
    if let value = line.member("role", of: object) {
      guard let word = line.stringIfAny(value).flatMap(Word.init) else {
        throw Refusal(
          .fieldInvalid,
          field: "hello.role",
          "expected one of \(Word.allCases.map(\.rawValue).joined(separator: ", "));"
            + " got \(line.excerpt(value))"
        )
      }
      role = word.role
    }
    guard let value = line.member("uid", of: object) else { return }
    guard let number = line.integer(value), 0..<Int64(UInt32.max) ~= number else {
      throw Refusal(
        .fieldInvalid,
        field: "hello.uid",
        "expected the number of a user; got \(line.excerpt(value))"
      )
    }
    uid = UInt32(number)
  }

  /// The members that a script has in the words of the bus.
  private static let passedOn: [StaticString] = [
    "app", "client", "want", "advice", "reports", "speech",
  ]

  /// Appends the request that says the same to the bus.
  func writeHello(_ line: JSONDocument, into out: inout ByteBuffer) {
    out.append("{\"op\":\"hello\"")
    var key = object + 1
    while key < line.end(object) {
      if Self.passedOn.contains(where: { line.isKey(key, $0) }) {
        out.append(",")
        line.copy(key, into: &out)
        out.append(":")
        line.copyAll(key + 1, into: &out)
      }
      key = line.end(key + 1)
    }
    if role == .read { out.append(",\"role\":\"reader\"") }
    out.append("}")
  }
}
