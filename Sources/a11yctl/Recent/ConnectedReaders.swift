// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient

/// The screen readers that are connected to the bus.
struct ConnectedReaders {
  struct Reader: Equatable {
    let app: String
    let conn: Int64
    /// The highest rank speaks; 0 only shows.
    let rank: Int64
  }

  let all: [Reader]
  /// The reader that speaks.
  let owner: Reader?
  /// Whether a screen reader counts as running.
  let isRunning: Bool

  /// The readers in the bus's answers to `state` and `stats`.
  init(_ state: JSONValue, _ stats: JSONValue) {
    all = (stats["subscribers"]?.list ?? []).compactMap { row in
      guard let rank = row["speech"]?.integer, let conn = row["conn"]?.integer else { return nil }
      return Reader(app: row["app"]?.string ?? "without a name", conn: conn, rank: rank)
    }
    let conn = state["reader"]?["conn"]?.integer
    owner = all.first { $0.conn == conn }
    isRunning = state["reader"]?["running"]?.flag ?? false
  }
}
