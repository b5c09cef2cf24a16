// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// The kinds of lines from the bus.
package enum LineKind: Equatable {
  case entry(seq: Int64)
  case mark
  /// A reply; the id is nil where the request had none.
  case reply(id: Int64?)
  case warning
  case farewell
}

/// Reads lines from the bus and tells their kinds.
///
/// Most lines are short; the memory for reading them grows only when a long one comes, so that an
/// app that only publishes does not pay for the longest one possible.
package struct LineReader: ~Copyable {
  private static let usual = 4_096

  private var json = JSONReader(limit: usual)
  private var limit = usual

  package init() {}

  /// Reads `line`, which `document` holds until the next line is read.
  package mutating func parse(_ line: Span<UInt8>) throws(ClientError) -> LineKind {
    if line.count > limit {
      while limit < line.count { limit *= 2 }
      json = JSONReader(limit: limit)
    }
    do {
      try json.read(line)
    } catch {
      throw .malformed(line.string)
    }
    guard let kind = kind else { throw .malformed(line.string) }
    return kind
  }

  package var document: JSONDocument {
    @_lifetime(borrow self)
    get { json.document }
  }

  private var kind: LineKind? {
    let document = json.document
    let root = document.root
    if let seq = document.member("seq", of: root) {
      return document.integer(seq).map { .entry(seq: $0) }
    }
    if document.member("mark", of: root) != nil { return .mark }
    if document.member("warn", of: root) != nil { return .warning }
    if document.member("bye", of: root) != nil { return .farewell }
    guard let id = document.member("id", of: root) else { return nil }
    return .reply(id: document.integer(id))
  }
}
