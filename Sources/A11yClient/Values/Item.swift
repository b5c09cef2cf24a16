// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// What a subscription consists of.
public enum Item: Hashable, Sendable {
  /// A line of the log.
  case entry(Entry)
  /// What the subscription tells about itself.
  case mark(Mark)

  /// The place in the log behind this item, if it names one.
  public var cursor: Cursor? {
    switch self {
    case .entry(let entry): entry.cursor
    case .mark(let mark): mark.cursor
    }
  }
}
