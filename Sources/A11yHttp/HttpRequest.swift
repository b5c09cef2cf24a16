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

/// The head of a request of HTTP/1, from its first byte to its empty line.
///
/// A server here answers once for each connection, so a head is whole, has a mistake, or has not
/// come whole yet; a body is never looked at.
package enum HttpHead: Equatable, Sendable {
  case incomplete
  case whole(HttpRequest)
  case malformed
  /// There is no room for the rest.
  case tooLarge
  /// The time for the rest is over.
  case late

  /// The most bytes of a head, of which a browser needs a tenth.
  package static let bytes = 8_192

  /// Reads the bytes that have come so far.
  package init(_ received: [UInt8]) {
    var lines = received.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // No newline has come behind the last piece, and of an empty head this is the only one.
    lines.removeLast()
    guard let first = lines.first else {
      self = Self.waiting(received)
      return
    }
    guard var request = HttpRequest(Self.trimmed(first)) else {
      self = .malformed
      return
    }
    for line in lines.dropFirst().map(Self.trimmed) {
      if line.isEmpty {
        self = .whole(request)
        return
      }
      guard request.readField(line) else {
        self = .malformed
        return
      }
    }
    self = Self.waiting(received)
  }

  /// A head that has not come whole: there is room for more, or none.
  private static func waiting(_ received: [UInt8]) -> HttpHead {
    received.count < bytes ? .incomplete : .tooLarge
  }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    line.last == UInt8(ascii: "\r") ? line.dropLast() : line
  }
}

/// An answer of HTTP/1 as bytes; the connection ends with it.
package enum HttpAnswer {
  /// Writes an answer.
  ///
  /// - Parameters:
  ///   - status: The number with its name, as in `404 Not Found`.
  ///   - fields: Lines of the head.
  ///   - body: The bytes behind the head; nil where a status has none.
  ///   - isHead: Whether the head alone was asked for.
  /// - Returns: The head, with the body behind it unless the head alone is wanted.
  package static func bytes(
    _ status: String,
    _ fields: [String] = [],
    body: [UInt8]? = [],
    isHead: Bool = false
  ) -> [UInt8] {
    let length = body.map { ["Content-Length: \($0.count)"] } ?? []
    let lines = ["HTTP/1.1 \(status)"] + fields + length + ["Connection: close", "", ""]
    let head = Array(lines.joined(separator: "\r\n").utf8)
    return isHead ? head : head + (body ?? [])
  }
}
