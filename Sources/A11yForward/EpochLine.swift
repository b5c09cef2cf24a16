// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yClient

/// The epochs of the log, the oldest first, as the hello of the bus tells them.
package struct EpochLine: Equatable, Sendable {
  package struct Start: Equatable, Sendable {
    package let epoch: String
    /// The seq of its first entry.
    package let first: Int64
    /// The beginning in milliseconds since 1970; never before that of an older epoch, so that a
    /// clock that was set back does not turn the order around.
    package let began: Int64
  }

  package private(set) var starts: [Start]

  /// Reads the hello; nil where it lists no epochs.
  package init?(_ hello: JSONValue) {
    var starts: [Start] = []
    for item in hello["epochs"]?.list ?? [] {
      guard let epoch = item["epoch"]?.string, let first = item["first"]?.integer,
        let began = item["began"]?.integer
      else { return nil }
      let earliest = starts.last?.began ?? 0
      starts.append(Start(epoch: epoch, first: first, began: max(began / 1_000, earliest)))
    }
    guard !starts.isEmpty else { return nil }
    self.starts = starts
  }

  /// Reads the text of `header`; nil where it is none.
  package init?(header text: String) {
    var starts: [Start] = []
    for word in text.split(separator: " ") {
      let parts = word.split(separator: ":")
      guard parts.count == 2, let first = Int64(parts[1]), first > 0 else { return nil }
      starts.append(Start(epoch: String(parts[0]), first: first, began: 0))
    }
    guard !starts.isEmpty else { return nil }
    self.starts = starts
  }

  /// Epochs and their first seqs, for the header of an entry by which another process finds those
  /// that it names.
  package var header: String {
    starts.map { "\($0.epoch):\($0.first)" }.joined(separator: " ")
  }

  /// The place in the line of the epoch that a seq belongs to.
  package func index(of seq: Int64) -> Int { starts.lastIndex { $0.first <= seq } ?? 0 }

  package func epoch(of seq: Int64) -> Start { starts[index(of: seq)] }

  /// The last seq of an epoch that is over; nil for the present one.
  package func end(_ index: Int) -> Int64? {
    index + 1 < starts.count ? starts[index + 1].first - 1 : nil
  }

  /// The place in the line of the engine's newest entry; nil where that is of another life.
  package func index(of last: EngineLast) -> Int? {
    starts.lastIndex { start in
      switch last.life {
      case .epoch(let name): start.epoch == name
      // Two epochs of one instant differ by their seqs.
      case .began(let instant): start.began == instant && start.first <= last.seq
      }
    }
  }

  /// The same line for the ids of Redis, which must come behind that of its newest entry, be the
  /// clock of the machine what it may.
  package func raised(behind last: EngineLast, at instant: Int64) -> EpochLine {
    let known = index(of: last)
    let earliest = known == nil ? instant + 1 : instant
    var line = self
    line.starts = starts.enumerated().map { place, start in
      guard place >= known ?? 0, start.began < earliest else { return start }
      return Start(epoch: start.epoch, first: start.first, began: earliest)
    }
    return line
  }

  /// The cursor before all entries of the log, by which the bus declares those that are gone.
  package var beginning: String { "\(starts[0].epoch):\(starts[0].first - 1)" }
}

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
