// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A bound that a figure should keep, most often beside a peer, since times differ by machine.
enum Goal {
  case atLeast(Double)
  case atMost(Double)
  /// At most this much more than the peer's figure.
  case atMostBeyond(Double, Peer)
  /// At least so many times the peer's figure.
  case atLeastTimes(Double, Peer)
  /// At most so many times the peer's figure.
  case atMostTimes(Double, Peer)

  /// Whether the figures of a row keep the bound; nil where one of them was not measured.
  func isMet(by result: RowResult) -> Bool? {
    guard let own = result.daemonMedian else { return nil }
    return switch self {
    case .atLeast(let bound): own >= bound
    case .atMost(let bound): own <= bound
    case .atMostBeyond(let bound, let peer): result.median(of: peer).map { own <= $0 + bound }
    case .atLeastTimes(let times, let peer): result.ratio(to: peer).map { $0 >= times }
    case .atMostTimes(let times, let peer): result.ratio(to: peer).map { $0 <= times }
    }
  }

  /// The bound for reading aloud, with numbers as the row writes them.
  func phrase(in row: Row) -> String {
    switch self {
    case .atLeast(let bound): "at least \(row.words(of: bound))"
    case .atMost(let bound): "at most \(row.words(of: bound))"
    case .atMostBeyond(let bound, let peer):
      "at most \(row.words(of: bound)) more than \(peer.rawValue)"
    case .atLeastTimes(let times, let peer):
      "at least \(grouped(times, decimals: 1)) times \(peer.rawValue)"
    case .atMostTimes(let times, let peer):
      "at most \(grouped(times, decimals: 1)) times \(peer.rawValue)"
    }
  }
}
