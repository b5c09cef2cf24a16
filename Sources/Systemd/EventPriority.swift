// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The order in which several ready sources are served; the lower value goes first.
package struct EventPriority: Hashable, Sendable {
  package let rawValue: Int64

  package init(_ rawValue: Int64) {
    self.rawValue = rawValue
  }

  package static let high = EventPriority(-100)
  package static let normal = EventPriority(0)
  package static let low = EventPriority(100)
}
