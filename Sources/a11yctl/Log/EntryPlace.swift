// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yWire

/// A place in the log, as a person types it: the seq of an entry, or a time.
enum EntryPlace: Equatable {
  case seq(Seq)
  /// Microseconds since 1970.
  case time(Int64)
}

extension CommandWords {
  /// The value of an option that is a seq or a time.
  func entryPlace(_ name: String, now: Int64) throws(Failure) -> EntryPlace? {
    guard let word = value(name) else { return nil }
    if let number = Int64(word) {
      guard number > 0 else {
        throw Failure(.usage, "--\(name) expects a seq from 1 on, or a time; got \(word).")
      }
      return .seq(Seq(number))
    }
    guard let moment = Moment.parse(word, now: now) else {
      throw Failure(
        .usage,
        "--\(name) expects a seq, or a time as \(Moment.accepted); got \(word)."
      )
    }
    return .time(moment)
  }
}

/// Finds the entries of a time on the bus, by halves.
struct MomentSearch {
  /// The path of the bus's socket.
  let path: String

  /// The cursor behind the last entry before a moment; nil where all entries came later.
  func cursor(before moment: Int64) throws(ClientError) -> LogCursor? {
    let now = try BusConnection(path: path).subscribe()
    var (low, high) = (Int64(0), now.seq)
    while low < high {
      let middle = low + (high - low) / 2
      if let entry = try firstEntry(behind: "\(now.epoch):\(middle)"), entry.time < moment {
        low = entry.seq
      } else {
        high = middle
      }
    }
    return low == 0 ? nil : LogCursor("\(now.epoch):\(low)")
  }

  private func firstEntry(behind cursor: String) throws(ClientError) -> Entry? {
    let bus = try BusConnection(path: path)
    let start = LogCursor(cursor).map { StartingPoint.cursor($0) }
    try bus.subscribe(SubscriptionRequest(from: start ?? .start))
    while let item = try bus.next(timeout: BusConnection.patience) {
      switch item {
      case .entry(let entry): return entry
      case .mark(.caughtUp): return nil
      case .mark: continue
      }
    }
    throw .timedOut(after: BusConnection.patience)
  }
}
