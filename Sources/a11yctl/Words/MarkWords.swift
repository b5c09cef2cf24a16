// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yClient

/// Marks as sentences.
enum MarkWords {
  /// The lines for a mark; none for a mark that matters to programs alone.
  static func lines(_ mark: SubscriptionMark) -> [String] {
    let lines =
      switch mark {
      case .caughtUp(let cursor): ["Caught up at entry \(cursor.seq)."]
      case .checkpoint: [String]()
      case .gap(let from, let to, let reason):
        from == to
          ? ["Entry \(from) is missing: \(reason)."]
          : ["Entries \(from) to \(to) are missing: \(reason)."]
      case .skipped(let count):
        count == 1
          ? ["1 entry was skipped for newer ones."]
          : ["\(count) entries were skipped for newer ones."]
      case .secret(let of, _, _): ["The text of entry \(of) was given to readers only."]
      case .secretName(let of, _): ["The name in entry \(of) was given to its app only."]
      case .state(let state, let cursor): StateWords.lines(state, at: cursor)
      case .away(let reason): ["The bus went away: \(reason)."]
      case .withdrawn(let from, let to):
        ["Entries \(from) to \(to) were lost by the bus; their numbers are used again."]
      case .newEpoch(let epoch):
        ["The bus numbers its entries in a new epoch now, \(epoch.prefix(8))."]
      case .anotherLog: ["The bus has another log now, which begins here."]
      case .other(let name, _): ["The bus says \(name)."]
      }
    return lines.map(VisibleText.of)
  }
}
