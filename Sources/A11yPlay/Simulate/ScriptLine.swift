// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// What stands around the event of a script's line, found in one walk.
struct ScriptLine {
  private let slots: Slots

  private static let fields = Fields([
    Field("mono", .integer(0...latest)),
    Field("conn", .name(bytes: Limits.nameBytes)),
    Field("uid", .integer(0...Int64(UInt32.max) - 1)),
    Field("label", .name(bytes: Limits.idBytes)),
    Field("dedupe", .name(bytes: Limits.idBytes)),
    Field("ack", .oneOf(.acknowledgement)),
    Field("event", .object(.event)),
    Field("hello", .object(.event)),
    Field("gone", .flag),
  ])

  private var mono: JSONIndex? { slots[0] }
  private var conn: JSONIndex? { slots[1] }
  private var uid: JSONIndex? { slots[2] }
  private var label: JSONIndex? { slots[3] }
  var dedupe: JSONIndex? { slots[4] }
  var acknowledgement: JSONIndex? { slots[5] }
  private var event: JSONIndex? { slots[6] }
  private var hello: JSONIndex? { slots[7] }
  private var gone: JSONIndex? { slots[8] }

  /// What the line does.
  enum Deed {
    case event(JSONIndex)
    case hello(JSONIndex)
    case gone
  }

  init(_ line: JSONDocument) {
    // Of what nobody knows nothing is said.
    var unknown: UnknownFields = []
    slots = line.slots(of: line.root, Self.fields, unknown: &unknown)
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

  /// What a stamp can say.
  private static var latest: Int64 { 1 << 60 }

  /// Whose line it is.
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
