// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The members of an entry that a later event may depend on.
package struct PastEntry: Equatable, Sendable {
  package let type: String
  package let app: String
  package let uid: Int64
  /// A client has published the entry, not the bus.
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
    let envelope = EntryView(of: reader.document)
    guard let type = envelope.type, let app = envelope.app, let uid = envelope.uid,
      let conn = envelope.conn
    else { return nil }
    self.type = type
    self.app = app
    self.uid = uid
    isPublished = conn != 0
  }
}

/// The log's answer about an earlier entry.
package enum Recollection: Equatable, Sendable {
  case entry(PastEntry)
  case gone
  /// The medium does not give the entry back now.
  case unreadable

  package var entry: PastEntry? {
    if case .entry(let entry) = self { entry } else { nil }
  }

  /// The broker's way to entries of earlier turns.
  package typealias Source = (Seq) -> Recollection
}
