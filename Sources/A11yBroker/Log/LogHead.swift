// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// The log that the broker appends to, as far as it has to know.
package struct LogHead: Sendable {
  package let epochs: [EpochStart]
  /// The oldest entry that is still there; one past the last where there is none.
  package internal(set) var first: Seq
  package internal(set) var last: Seq

  package init(epochs: [EpochStart], first: Seq, last: Seq) {
    precondition(!epochs.isEmpty, "a log has an epoch from its first line on")
    self.epochs = epochs
    self.first = first
    self.last = last
  }

  package var epoch: Epoch { epochs[epochs.count - 1].epoch }

  package func cursor(after seq: Seq) -> Cursor { Cursor(epoch: epoch, seq: seq) }

  /// The last entry that cursors of an epoch can name, or nil where the epoch is unknown.
  func reach(of epoch: Epoch) -> Seq? {
    guard let index = epochs.lastIndex(where: { $0.epoch == epoch }) else { return nil }
    return index == epochs.count - 1 ? last : epochs[index + 1].first.previous
  }
}
