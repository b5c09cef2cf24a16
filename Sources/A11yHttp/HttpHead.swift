// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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
