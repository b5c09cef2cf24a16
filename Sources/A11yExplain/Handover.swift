// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// A delivery of an event to readers.
package struct Handover: Sendable, Equatable {
  package var seq: Seq
  package var mono: Int64
  package var isSilent = false
  package var isAgain = false
  package var isTruncated = false
  package var isBoundary = false
  /// The reader has said that it could not speak it.
  package var isLost = false
  package var earcon: String?
  /// The number of events that it tells of.
  package var count: Int64 = 1

  package init(seq: Seq, mono: Int64) {
    self.seq = seq
    self.mono = mono
  }

  init?(_ entry: JSONDocument, _ seq: Seq) {
    let envelope = EntryView(of: entry)
    guard let event = envelope.event, let mono = envelope.mono else { return nil }
    self.init(seq: seq, mono: mono)
    isSilent = entry.member("speak", of: event).map { entry.count($0) == 0 } ?? true
    isAgain = entry.says("again", event)
    isTruncated = entry.says("truncated", event)
    isBoundary = entry.says("boundary", event)
    earcon = entry.string("earcon", of: event)
    if let summary = entry.member("summary", of: event), entry.kind(summary) == .object {
      count = entry.integer("count", of: summary) ?? 1
    }
  }
}

extension JSONDocument {
  func says(_ name: StaticString, _ object: JSONIndex) -> Bool {
    member(name, of: object).map { kind($0) == .yes } ?? false
  }
}
