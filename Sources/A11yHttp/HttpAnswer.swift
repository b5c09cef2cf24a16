// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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
