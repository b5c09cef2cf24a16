// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The newest entry of this machine that the engine has.
package struct EngineLast: Equatable, Sendable {
  /// The mark of its epoch: its name, or, of an entry of Redis that was removed, the milliseconds
  /// at which it began.
  package enum Life: Equatable, Sendable {
    case epoch(String)
    case began(Int64)
  }

  package let life: Life
  package let seq: Int64
  /// The entries that are to be forgotten, where this one says so: perhaps nobody has come to it.
  package let forgotten: [ClosedRange<Int64>]

  package init(_ life: Life, seq: Int64, forgotten: [ClosedRange<Int64>] = []) {
    self.life = life
    self.seq = seq
    self.forgotten = forgotten
  }
}

/// The place in the log behind the engine's newest entry.
package struct Resumption: Equatable, Sendable {
  package let cursor: String
  /// The sentence for the operator, where something is unusual.
  package let remark: String?

  package init(behind last: EngineLast?, in epochs: EpochLine) {
    guard let last else {
      self.init(cursor: epochs.beginning, remark: nil)
      return
    }
    guard let index = epochs.index(of: last) else {
      self.init(
        cursor: epochs.beginning,
        remark: "the engine knows another life of this machine's log only; all of this log is sent"
      )
      return
    }
    let epoch = epochs.starts[index].epoch
    if let end = epochs.end(index), last.seq > end {
      self.init(
        cursor: "\(epoch):\(end)",
        remark: "the engine has entries up to \(last.seq) of an epoch that ends at \(end) here"
      )
    } else {
      self.init(cursor: "\(epoch):\(last.seq)", remark: nil)
    }
  }

  package init(cursor: String, remark: String?) {
    self.cursor = cursor
    self.remark = remark
  }
}
