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
  private(set) var event: JSONIndex?
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
        throw line.misfit("hello", expected: "an object", hello)
      }
      return .hello(hello)
    }
    if let gone, line.kind(gone) != .yes { throw line.misfit("gone", expected: "true", gone) }
    return .gone
  }

  /// When it happens, which is not before `last`.
  func mono(_ line: JSONDocument, notBefore last: Int64) throws(Refusal) -> Int64 {
    guard let mono else {
      throw Refusal(.fieldMissing, field: "mono", "expected \(Self.instant)")
    }
    guard let instant = line.integer(mono), 0...Self.latest ~= instant else {
      throw line.misfit("mono", expected: Self.instant, mono)
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
      throw line.misfit("conn", expected: Self.name, conn)
    }
    return conn
  }

  private static var name: String {
    "a name for the connection, of 1 to \(Limits.nameBytes) bytes"
  }

  /// The user that it names, if any.
  func uid(_ line: JSONDocument) throws(Refusal) -> UInt32? {
    try uid.map { uid throws(Refusal) in try line.user(uid, "uid") }
  }

  /// The name that the line gives itself, if any.
  func label(_ line: JSONDocument) throws(Refusal) -> String? {
    guard let label else { return nil }
    guard line.kind(label) == .string, 1...Limits.idBytes ~= line.byteCount(label) else {
      let name = "a name for the line, of 1 to \(Limits.idBytes) bytes"
      throw line.misfit("label", expected: name, label)
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
        let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
        throw line.misfit("hello.role", expected: "one of \(words)", value)
      }
      role = word.role
    }
    if let value = line.member("uid", of: object) { uid = try line.user(value, "hello.uid") }
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

extension JSONDocument {
  /// The refusal of a value that is not what a script may have there.
  func misfit(_ field: String, expected: String, _ value: JSONIndex) -> Refusal {
    Refusal(.fieldInvalid, field: field, "expected \(expected); got \(excerpt(value))")
  }

  /// The number of a user, of which the last is nobody's.
  fileprivate func user(_ value: JSONIndex, _ field: String) throws(Refusal) -> UInt32 {
    guard let number = integer(value), 0..<Int64(UInt32.max) ~= number else {
      throw misfit(field, expected: "the number of a user", value)
    }
    return UInt32(number)
  }
}
