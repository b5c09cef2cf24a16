// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A request of HTTP/1: method, target and fields.
package struct HttpRequest: Equatable, Sendable {
  package let method: String
  /// The path with its parameters.
  package let target: String
  private var fields: [Field] = []

  private struct Field: Equatable {
    let name: String
    let value: String
  }

  /// Reads the line with method, target and version.
  init?(_ line: ArraySlice<UInt8>) {
    let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard words.count == 3, ["HTTP/1.0", "HTTP/1.1"].contains(words[2]),
      !words[0].isEmpty, words[0].utf8.allSatisfy(Self.isToken), words[1].hasPrefix("/")
    else { return nil }
    (method, target) = (words[0], words[1])
  }

  /// Reads a field, a name with a colon and a value; false where the line is none.
  mutating func readField(_ line: ArraySlice<UInt8>) -> Bool {
    let name = line.prefix { $0 != UInt8(ascii: ":") }
    guard !name.isEmpty, name.count < line.count, name.allSatisfy(Self.isToken) else {
      return false
    }
    let value = line.dropFirst(name.count + 1).drop { $0 == UInt8(ascii: " ") }
    fields.append(
      Field(
        name: String(decoding: name, as: UTF8.self).lowercased(),
        value: String(decoding: value, as: UTF8.self)
      )
    )
    return true
  }

  /// The path without parameters.
  package var path: Substring { target.prefix { $0 != "?" } }

  /// The value of a field by its name in small letters; nil where it is not there.
  package func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }

  /// The bytes of methods and names of fields.
  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
