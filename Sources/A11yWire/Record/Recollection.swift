// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The log's answer about an earlier entry.
package enum Recollection: Equatable, Sendable {
  case entry(PastEntry)
  case gone
  /// The medium does not give the entry back now.
  case unreadable

  package var entry: PastEntry? {
    if case .entry(let entry) = self { entry } else { nil }
  }

  /// The broker's way to entries of earlier turns.
  package typealias Source = (Seq) -> Recollection
}
