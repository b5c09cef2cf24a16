// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The head of a request of HTTP/1, as far as the metrics sockets have to know it.
///
/// They know one path and two methods, and answer once for each connection. So a head has either an
/// answer or not come whole yet, and a body is never looked at.
package enum MetricsRequest: Equatable, Sendable {
  case incomplete
  /// The page is asked for, or its head alone.
  case page(isHead: Bool)
  case refused(Refusal)

  /// The most bytes of a head, of which a scraper needs some hundred.
  package static let bytes = 4_096

  package enum Refusal: Int, CaseIterable, Sendable {
    case badRequest = 400
    case notFound = 404
    case methodNotAllowed = 405
    case timeout = 408
    case headTooLarge = 431
  }

  /// Reads the bytes that have come so far.
  package init(_ received: [UInt8]) {
    var lines = received.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // No newline has come behind the last piece, and of an empty head this is the only one.
    lines.removeLast()
    guard let first = lines.first else {
      self = Self.waiting(received)
      return
    }
    let answer = Self.verdict(on: Self.trimmed(first))
    if answer == .refused(.badRequest) {
      self = answer
      return
    }
    for line in lines.dropFirst().map(Self.trimmed) {
      if line.isEmpty {
        self = answer
        return
      }
      guard Self.isField(line) else {
        self = .refused(.badRequest)
        return
      }
    }
    self = Self.waiting(received)
  }

  /// A head that has not come whole: there is room for more, or none.
  private static func waiting(_ received: [UInt8]) -> MetricsRequest {
    received.count < bytes ? .incomplete : .refused(.headTooLarge)
  }

  /// Judges the line with method, path and version.
  private static func verdict(on line: ArraySlice<UInt8>) -> MetricsRequest {
    let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard words.count == 3, ["HTTP/1.0", "HTTP/1.1"].contains(words[2]),
      !words[0].isEmpty, words[0].utf8.allSatisfy(isToken), words[1].hasPrefix("/")
    else { return .refused(.badRequest) }
    // Scrapers may put parameters behind the path, which choose nothing here.
    guard words[1].prefix(while: { $0 != "?" }) == "/metrics" else { return .refused(.notFound) }
    switch words[0] {
    case "GET": return .page(isHead: false)
    case "HEAD": return .page(isHead: true)
    default: return .refused(.methodNotAllowed)
    }
  }

  /// Whether a line is a field, a name with a colon.
  private static func isField(_ line: ArraySlice<UInt8>) -> Bool {
    let name = line.prefix { $0 != UInt8(ascii: ":") }
    return !name.isEmpty && name.count < line.count && name.allSatisfy(isToken)
  }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    line.last == UInt8(ascii: "\r") ? line.dropLast() : line
  }

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
