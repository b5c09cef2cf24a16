// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// The members of a script's line around its event.
struct ScriptLine {
  private var mono: JSONIndex?
  private var conn: JSONIndex?
  private var uid: JSONIndex?
  private var label: JSONIndex?
  private(set) var dedupe: JSONIndex?
  private(set) var acknowledgement: JSONIndex?
  private var event: JSONIndex?
  private var hello: JSONIndex?
  private var gone: JSONIndex?
  /// The users who sit at the machine, or null for everybody.
  private(set) var seat: JSONIndex?

  /// The deed of the line.
  enum Deed {
    case event(JSONIndex)
    case hello(JSONIndex)
    case gone
  }

  init(_ line: JSONDocument) {
    var key = line.root + 1
    while key < line.end(line.root) {
      let value = key + 1
      if line.isKey(key, "mono") {
        mono = value
      } else if line.isKey(key, "conn") {
        conn = value
      } else if line.isKey(key, "event") {
        event = value
      } else if line.isKey(key, "label") {
        label = value
      } else if line.isKey(key, "uid") {
        uid = value
      } else if line.isKey(key, "dedupe") {
        dedupe = value
      } else if line.isKey(key, "ack") {
        acknowledgement = value
      } else if line.isKey(key, "hello") {
        hello = value
      } else if line.isKey(key, "gone") {
        gone = value
      } else if line.isKey(key, "seat") {
        seat = value
      }
      key = line.end(value)
    }
  }

  func deed(_ line: JSONDocument) throws(Refusal) -> Deed {
    let deeds = (event == nil ? 0 : 1) + (hello == nil ? 0 : 1) + (gone == nil ? 0 : 1)
    guard deeds > 0 else {
      throw Refusal(.fieldMissing, field: "event", "expected event, hello or gone")
    }
    guard deeds == 1 else {
      throw Refusal(
        .fieldInvalid,
        field: hello == nil ? "gone" : "hello",
        "expected only one of event, hello and gone in a line"
      )
    }
    if let event { return .event(event) }
    if let hello {
      guard line.kind(hello) == .object else {
        throw Refusal(
          .fieldInvalid,
          field: "hello",
          "expected an object; got \(line.excerpt(hello))"
        )
      }
      return .hello(hello)
    }
    if let gone, line.kind(gone) != .yes {
      throw Refusal(.fieldInvalid, field: "gone", "expected true; got \(line.excerpt(gone))")
    }
    return .gone
  }

  /// When it happens, which is not before `last`.
  func mono(_ line: JSONDocument, notBefore last: Int64) throws(Refusal) -> Int64 {
    guard let mono else {
      throw Refusal(.fieldMissing, field: "mono", "expected \(Self.instant)")
    }
    guard let instant = line.integer(mono), 0...Self.latest ~= instant else {
      throw Refusal(
        .fieldInvalid,
        field: "mono",
        "expected \(Self.instant); got \(line.excerpt(mono))"
      )
    }
    guard instant >= last else {
      throw Refusal(
        .fieldInvalid,
        field: "mono",
        "expected lines in the order of mono, so at least \(last); got \(instant)"
      )
    }
    return instant
  }

  private static var instant: String { "microseconds on the bus clock, from 0 on" }

  /// The latest instant that a stamp can say.
  private static var latest: Int64 { 1 << 60 }

  /// The member that names the connection of the line.
  func conn(_ line: JSONDocument) throws(Refusal) -> JSONIndex {
    guard let conn else { throw Refusal(.fieldMissing, field: "conn", "expected \(Self.name)") }
    guard line.kind(conn) == .string, 1...Limits.nameBytes ~= line.byteCount(conn) else {
      throw Refusal(
        .fieldInvalid,
        field: "conn",
        "expected \(Self.name); got \(line.excerpt(conn))"
      )
    }
    return conn
  }

  private static var name: String {
    "a name for the connection, of 1 to \(Limits.nameBytes) bytes"
  }

  /// The user that it names, if any.
  func uid(_ line: JSONDocument) throws(Refusal) -> UInt32? {
    guard let uid else { return nil }
    // The last number is nobody's.
    guard let number = line.integer(uid), 0..<Int64(UInt32.max) ~= number else {
      throw Refusal(
        .fieldInvalid,
        field: "uid",
        "expected the number of a user; got \(line.excerpt(uid))"
      )
    }
    return UInt32(number)
  }

  /// The name that the line gives itself, if any.
  func label(_ line: JSONDocument) throws(Refusal) -> String? {
    guard let label else { return nil }
    guard line.kind(label) == .string, 1...Limits.idBytes ~= line.byteCount(label) else {
      throw Refusal(
        .fieldInvalid,
        field: "label",
        "expected a name for the line, of 1 to \(Limits.idBytes) bytes;"
          + " got \(line.excerpt(label))"
      )
    }
    return line.string(label)
  }
}

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
