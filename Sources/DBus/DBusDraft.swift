// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import CSystemd

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
