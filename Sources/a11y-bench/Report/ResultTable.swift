// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The results of all buses side by side, as a table of Markdown.
///
/// The medians stand there alone; the sentences above it have the extremes.
enum ResultTable {
  static let none = "–"

  /// The lines of the table; none when nothing was measured beside a bus.
  static func markdown(_ results: [RowResult]) -> [String] {
    let rows = results.filter { result in result.peers.contains { Peer.buses.contains($0.peer) } }
    guard !rows.isEmpty else { return [] }
    let measured = Peer.buses.filter { peer in rows.contains { $0.median(of: peer) != nil } }
    // The relays are the bounds, so they stand on both sides of the daemon's column.
    let (bounds, servers) = (measured.filter { $0.word == nil }, measured.filter { $0.word != nil })
    let heads =
      ["work"] + bounds.map(\.rawValue) + ["a11yd"] + servers.map(\.rawValue)
      + ["ratio to the relay", "ratio to the best server"]
    let body = rows.map { result in
      [result.row.name] + bounds.map { cell(result.median(of: $0), result) }
        + [cell(result.daemonMedian, result)]
        + servers.map { cell(result.median(of: $0), result) }
        + [
          result.ratio(to: .relay).map { grouped($0, decimals: 2) } ?? none,
          result.ratioToBest.map { grouped($0.ratio, decimals: 2) } ?? none,
        ]
    }
    let rule = ["---"] + heads.dropFirst().map { _ in "--:" }
    return ([heads, rule] + body).map { "| " + $0.joined(separator: " | ") + " |" }
  }

  private static func cell(_ value: Double?, _ result: RowResult) -> String {
    value.map(result.row.words) ?? none
  }
}
