// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// The facts about a line that an engine gives back.
package struct EngineLine: Equatable, Sendable {
  /// The seq of the entry; of a gap, its last.
  package let seq: Int64
  package let isGap: Bool
  /// The ranges of an entry about forgetting.
  package let forgotten: [ClosedRange<Int64>]

  /// Reads a line; nil where it is none of ours.
  package init?(_ bytes: [UInt8]) {
    let reader = JSONReader(limit: max(bytes.count, 64))
    guard (try? reader.read(bytes.span)) != nil else { return nil }
    let line = reader.document
    isGap = line.isGap
    guard let seq = line.integer(isGap ? "to" : "seq", of: line.root)?.ifReachable else {
      return nil
    }
    self.seq = seq
    let view = EntryView(of: line)
    let ranges = view.type == EventType.Own.forgot.rawValue ? view.forgottenRanges : []
    forgotten = ranges.filter {
      $0.lowerBound.ifReachable != nil && $0.upperBound.ifReachable != nil
    }
  }
}
