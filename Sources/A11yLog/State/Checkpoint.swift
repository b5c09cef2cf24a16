// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// A state with its place in the log: behind which entry it was, and beside which segment.
///
/// A `.state` file holds one from the beginning of a segment, so that nothing before that segment
/// is needed to go on.
package struct Checkpoint<State: LoggedState> {
  package private(set) var state: State
  package private(set) var after: Seq
  /// The header of the segment it stands beside, should the segment's own be damaged.
  package let header: SegmentHeader?
  /// Something was taken out of it when it was of the past already.
  ///
  /// It does to go on from with what comes, and does not lead to the decisions that were made:
  /// those were made by what is forgotten as well.
  package private(set) var hasForgotten: Bool

  package init(
    _ state: State = State(),
    after: Seq,
    beside header: SegmentHeader? = nil,
    hasForgotten: Bool = false
  ) {
    self.state = state
    self.after = after
    self.header = header
    self.hasForgotten = hasForgotten
  }

  /// Applies the next entry, without its newline; entries up to `after` change nothing.
  package mutating func apply(_ line: Span<UInt8>, _ seq: Seq, with json: JSONReader) {
    guard seq > after else { return }
    after = seq
    state.apply(line, with: json)
  }

  mutating func expire(through mono: Int64) { state.expire(through: mono) }

  mutating func forgetKeys(from first: Seq) { state.forgetKeys(from: first) }

  mutating func forget(_ selection: Selection) -> Bool {
    guard state.forget(selection) else { return false }
    hasForgotten = true
    return true
  }

  mutating func restore(_ line: JSONDocument) -> Bool { state.restore(line) }

  /// Whether it can have been written beside a segment with this header and entries up to `last`.
  ///
  /// After a power cut numbers are given again, and a file beside an earlier segment of the same
  /// name may have come through while the segment did not, or while its last entries did not.
  func belongs(to header: SegmentHeader?, through last: Seq) -> Bool {
    guard after <= last else { return false }
    guard let header, let own = self.header else { return true }
    // A segment that was written anew by a later start may have begun another epoch.
    return header.epochs.starts(with: own.epochs) && own.boot == header.boot
      && own.began == header.began
  }

  /// Whether all entries of its segment up to it are there.
  ///
  /// Damaged entries count as unknown, though the state was made with them.
  func isBorneOut(by scan: SegmentScan) -> Bool {
    guard let header, let extent = scan.extents.first else { return false }
    return extent.first == header.first && extent.last >= after
  }
}
