// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// What a later event may have to know of an entry that it refers to.
package struct PastEntry: Equatable, Sendable {
  package let type: String
  package let app: String
  package let uid: Int64
  /// Whether a client published it, not the bus.
  package let isPublished: Bool

  package init(type: String, app: String, uid: Int64, isPublished: Bool) {
    self.type = type
    self.app = app
    self.uid = uid
    self.isPublished = isPublished
  }

  /// Reads the entry off its line in the log.
  package init?(_ line: Span<UInt8>, with reader: JSONReader) {
    do throws(JSONFault) { try reader.read(line) } catch { return nil }
    let entry = reader.document
    guard let event = entry.member("event", of: entry.root),
      let type = entry.string("type", of: event), let app = entry.string("app", of: entry.root),
      let uid = entry.integer("uid", of: entry.root),
      let conn = entry.integer("conn", of: entry.root)
    else { return nil }
    self.type = type
    self.app = app
    self.uid = uid
    isPublished = conn != 0
  }
}
