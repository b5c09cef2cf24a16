// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

/// Entries as events of CloudEvents 1.0, in its JSON format.
struct CloudEvents {
  /// The sources of the apps met so far.
  private var sources: [Source: String] = [:]

  /// The most sources kept: more than an ordinary session has.
  private static let sourcesKept = 1_024

  private struct Source: Hashable {
    let uid: Int64
    let app: String
  }

  mutating func append(
    _ entry: JSONDocument,
    event: Span<UInt8>,
    epoch: String,
    to line: inout ByteBuffer
  ) {
    let root = entry.root
    let seq = entry.integer("seq", of: root) ?? 0
    let type = entry.member("event", of: root).flatMap { entry.string("type", of: $0) }
    let source = source(of: entry)
    line.object { line in
      line.append(member: "specversion", "1.0")
      line.append(member: "id", "\(epoch):\(seq)")
      line.append(member: "source", source)
      line.append(member: "type", "org.a11yd.\(type ?? "unknown")")
      line.append(member: "time", ClockTime.universal(entry.integer("time", of: root) ?? 0))
      line.append(member: "datacontenttype", "application/json")
      // The `sequence` extension asks for texts that sort as the numbers do.
      line.append(member: "sequence", Self.padded(seq))
      // An integer of CloudEvents has 32 bits, too few for these.
      line.append(member: "mono", String(entry.integer("mono", of: root) ?? 0))
      if let conn = entry.integer("conn", of: root) { line.append(member: "conn", String(conn)) }
      line.append(member: "data")
      line.append(event)
    }
  }

  /// The source of an entry's event; a forgotten entry names no app.
  private mutating func source(of entry: JSONDocument) -> String {
    guard let uid = entry.integer("uid", of: entry.root),
      let app = entry.string("app", of: entry.root)
    else { return "/a11yd" }
    let source = Source(uid: uid, app: app)
    if let known = sources[source] { return known }
    if sources.count == Self.sourcesKept { sources = [:] }
    let path = "/a11yd/uid/\(uid)/app/\(Self.percentEncoded(app))"
    sources[source] = path
    return path
  }

  /// A text as a segment of a path, with the characters that RFC 3986 reserves as their numbers.
  static func percentEncoded(_ text: String) -> String {
    var result = ""
    for unit in text.utf8 {
      switch unit {
      case 48...57, 65...90, 97...122, 45, 46, 95, 126:
        result.unicodeScalars.append(Unicode.Scalar(unit))
      default:
        let digits = String(unit, radix: 16, uppercase: true)
        result += "%" + (digits.count < 2 ? "0" : "") + digits
      }
    }
    return result
  }

  private static func padded(_ seq: Int64) -> String {
    let digits = String(seq)
    return String(repeating: "0", count: max(0, 20 - digits.count)) + digits
  }
}
