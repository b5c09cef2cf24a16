// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// An entry or a mark of a subscription.
public enum SubscriptionItem: Hashable, Sendable {
  /// A line of the log.
  case entry(Entry)
  /// News of the subscription itself.
  case mark(SubscriptionMark)

  /// The place in the log behind this item, if it names one.
  public var cursor: LogCursor? {
    switch self {
    case .entry(let entry): entry.cursor
    case .mark(let mark): mark.cursor
    }
  }
}
