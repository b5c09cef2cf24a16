// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import CSystemd
import Glibc

/// A message that has come.
package final class DBusMessage {
  let handle: OpaquePointer

  init(_ handle: OpaquePointer) { self.handle = sd_bus_message_ref(handle) }

  deinit { sd_bus_message_unref(handle) }

  /// The kinds of messages.
  package enum Kind: Equatable {
    case call
    case reply
    case error
    case signal
  }

  package var kind: Kind {
    var type: UInt8 = 0
    _ = sd_bus_message_get_type(handle, &type)
    switch Int(type) {
    case SD_BUS_MESSAGE_METHOD_CALL: return .call
    case SD_BUS_MESSAGE_METHOD_RETURN: return .reply
    case SD_BUS_MESSAGE_METHOD_ERROR: return .error
    default: return .signal
    }
  }

  /// The unique name of the connection that has sent it, which the bus has set.
  package var sender: String? { Self.copy(of: sd_bus_message_get_sender(handle)) }
  package var destination: String? { Self.copy(of: sd_bus_message_get_destination(handle)) }
  package var path: String? { Self.copy(of: sd_bus_message_get_path(handle)) }
  package var interface: String? { Self.copy(of: sd_bus_message_get_interface(handle)) }
  package var member: String? { Self.copy(of: sd_bus_message_get_member(handle)) }
  package var signature: String? { Self.copy(of: sd_bus_message_get_signature(handle, 1)) }

  /// The number that the sender has given to it.
  package var serial: UInt64 {
    var serial: UInt64 = 0
    return sd_bus_message_get_cookie(handle, &serial) < 0 ? 0 : serial
  }

  /// The number of the call that it answers.
  package var answeredSerial: UInt64? {
    var serial: UInt64 = 0
    return sd_bus_message_get_reply_cookie(handle, &serial) < 0 ? nil : serial
  }

  /// The name and the words of an error.
  package var error: (name: String, words: String)? {
    guard let error = sd_bus_message_get_error(handle)?.pointee,
      let name = Self.copy(of: error.name)
    else { return nil }
    return (name, Self.copy(of: error.message) ?? name)
  }

  private static func copy(of pointer: UnsafePointer<CChar>?) -> String? {
    pointer.map { String(cString: $0) }
  }

  // MARK: The content

  /// Reads what is in the message, or the first values of it, within bounds.
  package func values(
    _ bounds: DBusBounds = .usual,
    first count: Int = .max
  ) throws(DBusMistake) -> [DBusValue] {
    guard sd_bus_message_rewind(handle, 1) >= 0 else { throw .malformed }
    var reading = Reading(handle: handle, bounds: bounds)
    return try reading.rest(depth: 0, first: count)
  }

  /// The way through one message.
  private struct Reading {
    let handle: OpaquePointer
    let bounds: DBusBounds
    private var count = 0

    init(handle: OpaquePointer, bounds: DBusBounds) {
      self.handle = handle
      self.bounds = bounds
    }

    /// The values up to the end of the container, or the first ones.
    mutating func rest(depth: Int, first most: Int = .max) throws(DBusMistake) -> [DBusValue] {
      var values: [DBusValue] = []
      while values.count < most, let value = try member(depth: depth) { values.append(value) }
      return values
    }

    /// The next value; nil at the end of the container.
    mutating func member(depth: Int) throws(DBusMistake) -> DBusValue? {
      var type: CChar = 0
      var contents: UnsafePointer<CChar>?
      switch sd_bus_message_peek_type(handle, &type, &contents) {
      case 0: return nil
      case 1...: break
      default: throw .malformed
      }
      count += 1
      guard count <= bounds.values else { throw .tooManyValues }
      let letter = Character(UnicodeScalar(UInt8(bitPattern: type)))
      guard let contents else { return try basic(letter, type) }
      guard depth < bounds.depth else { throw .tooDeep }
      if letter == "a", contents[0] == CChar(bitPattern: UInt8(ascii: "y")) { return try bytes() }
      return try container(letter, type, contents, depth: depth + 1)
    }

    private func basic(_ letter: Character, _ type: CChar) throws(DBusMistake) -> DBusValue {
      switch letter {
      case "s", "g": return .string(try string(type))
      case "o": return .path(try string(type))
      case "b": return .boolean(try number(type, as: Int32.self) != 0)
      case "y": return .byte(try number(type, as: UInt8.self))
      case "i": return .int32(try number(type, as: Int32.self))
      case "u": return .uint32(try number(type, as: UInt32.self))
      case "n": return .integer(Int64(try number(type, as: Int16.self)))
      case "q": return .integer(Int64(try number(type, as: UInt16.self)))
      case "x": return .integer(try number(type, as: Int64.self))
      case "t": return .integer(Int64(clamping: try number(type, as: UInt64.self)))
      case "d":
        return .double(Double(bitPattern: try number(type, as: UInt64.self)))
      case "h":
        _ = try number(type, as: Int32.self)
        return .descriptor
      default: throw .malformed
      }
    }

    private func number<Number: FixedWidthInteger>(
      _ type: CChar,
      as: Number.Type
    ) throws(DBusMistake) -> Number {
      var number: Number = 0
      guard sd_bus_message_read_basic(handle, type, &number) > 0 else { throw .malformed }
      return number
    }

    private func string(_ type: CChar) throws(DBusMistake) -> String {
      var pointer: UnsafePointer<CChar>?
      guard sd_bus_message_read_basic(handle, type, &pointer) > 0, let pointer else {
        throw .malformed
      }
      guard strnlen(pointer, bounds.stringBytes + 1) <= bounds.stringBytes else {
        throw .stringTooLong
      }
      return String(cString: pointer)
    }

    private func bytes() throws(DBusMistake) -> DBusValue {
      var size = 0
      var start: UnsafeRawPointer?
      let type = CChar(bitPattern: UInt8(ascii: "y"))
      guard sd_bus_message_read_array(handle, type, &start, &size) >= 0 else { throw .malformed }
      return .bytes(size)
    }

    private mutating func container(
      _ letter: Character,
      _ type: CChar,
      _ contents: UnsafePointer<CChar>,
      depth: Int
    ) throws(DBusMistake) -> DBusValue {
      let signature = String(cString: contents)
      guard sd_bus_message_enter_container(handle, type, contents) > 0 else { throw .malformed }
      let members = try rest(depth: depth)
      guard sd_bus_message_exit_container(handle) >= 0 else { throw .malformed }
      switch letter {
      case "v":
        guard let value = members.first else { throw .malformed }
        return .variant(value)
      case "r", "(", "e", "{": return .structure(members)
      case "a" where signature.hasPrefix("{s"):
        return .dictionary(
          members.compactMap { entry in
            guard case .structure(let pair) = entry, pair.count == 2, let name = pair[0].text else {
              return nil
            }
            return .init(name, pair[1])
          }
        )
      case "a": return .list(signature, members)
      default: throw .malformed
      }
    }
  }
}

/// A message that is being written.
struct DBusDraft: ~Copyable {
  let handle: OpaquePointer

  init(_ result: Int32, _ handle: OpaquePointer?) throws(Errno) {
    try Errno.check(result)
    guard let handle else { throw .noMemory }
    self.handle = handle
  }

  deinit { sd_bus_message_unref(handle) }

  borrowing func encode(_ values: [DBusValue]) throws(Errno) {
    for value in values { try encode(value) }
  }

  private borrowing func encode(_ value: DBusValue) throws(Errno) {
    switch value {
    case .string(let text): try encode("s", text)
    case .path(let text): try encode("o", text)
    case .boolean(let flag): try encode("b", Int32(flag ? 1 : 0))
    case .byte(let number): try encode("y", number)
    case .int32(let number): try encode("i", number)
    case .uint32(let number): try encode("u", number)
    case .integer(let number): try encode("x", number)
    case .double(let number): try encode("d", number.bitPattern)
    case .structure(let members):
      try contain("r", members.map(\.signature).joined(), members)
    case .list(let signature, let members): try contain("a", signature, members)
    case .variant(let value): try contain("v", value.signature, [value])
    case .dictionary(let entries):
      let inner = String(value.signature.dropFirst(2).dropLast())
      try check(sd_bus_message_open_container(handle, letter("a"), "{\(inner)}"))
      for entry in entries { try contain("e", inner, [.string(entry.name), entry.value]) }
      try check(sd_bus_message_close_container(handle))
    case .bytes, .descriptor: throw .invalidArgument
    }
  }

  private borrowing func contain(
    _ type: Unicode.Scalar,
    _ signature: String,
    _ members: [DBusValue]
  ) throws(Errno) {
    try check(sd_bus_message_open_container(handle, letter(type), signature))
    try encode(members)
    try check(sd_bus_message_close_container(handle))
  }

  private borrowing func encode(_ type: Unicode.Scalar, _ text: String) throws(Errno) {
    try check(text.withCString { sd_bus_message_append_basic(handle, letter(type), $0) })
  }

  private borrowing func encode<Number: FixedWidthInteger>(
    _ type: Unicode.Scalar,
    _ number: Number
  ) throws(Errno) {
    var number = number
    try check(sd_bus_message_append_basic(handle, letter(type), &number))
  }

  private borrowing func check(_ result: Int32) throws(Errno) { try Errno.check(result) }

  private borrowing func letter(_ type: Unicode.Scalar) -> CChar {
    CChar(truncatingIfNeeded: type.value)
  }
}
