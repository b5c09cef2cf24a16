// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// What a subscription consists of.
public enum SubscriptionItem: Hashable, Sendable {
  /// A line of the log.
  case entry(Entry)
  /// What the subscription tells about itself.
  case mark(SubscriptionMark)

  /// The place in the log behind this item, if it names one.
  public var cursor: LogCursor? {
    switch self {
    case .entry(let entry): entry.cursor
    case .mark(let mark): mark.cursor
    }
  }
}
