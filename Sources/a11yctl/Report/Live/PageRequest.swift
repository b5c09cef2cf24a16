// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A browser's request for the page, as far as it matters here: whether it may have the page, and
/// the version that it has.
enum PageRequest: Equatable {
  /// More bytes are to come.
  case incomplete
  /// `known` is the version that the browser has.
  case page(known: String?)
  /// It is not for this page, or does not know the token.
  case refused

  /// The most bytes of a request: what a browser sends is a tenth of this.
  static let most = 8_192

  private static let end: [UInt8] = [13, 10, 13, 10]

  /// Reads a request for the page at a path, which only those know who may see it.
  init(_ bytes: [UInt8], path: String) {
    guard Self.isWhole(bytes) else {
      self = bytes.count < Self.most ? .incomplete : .refused
      return
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
    let words = lines.first?.split(separator: " ") ?? []
    guard bytes.count <= Self.most, words.count == 3, words[0] == "GET",
      words[2].hasPrefix("HTTP/1."), Self.isEqual(words[1], path)
    else {
      self = .refused
      return
    }
    let name = "if-none-match:"
    let known = lines.dropFirst().first { $0.lowercased().hasPrefix(name) }
    self = .page(known: known.map { String($0.dropFirst(name.count).drop { $0 == " " }) })
  }

  private static func isWhole(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= end.count else { return false }
    return (0...(bytes.count - end.count)).contains { start in
      bytes[start] == end[0] && Array(bytes[start..<(start + end.count)]) == end
    }
  }

  /// Compares all bytes, so that the time tells nothing of the token.
  private static func isEqual(_ given: Substring, _ path: String) -> Bool {
    let (one, other) = (Array(given.utf8), Array(path.utf8))
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
