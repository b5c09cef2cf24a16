// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Who goes first when several sources are ready; the lower value wins.
package struct EventPriority: Hashable, Sendable {
  package let rawValue: Int64

  package init(_ rawValue: Int64) {
    self.rawValue = rawValue
  }

  package static let high = EventPriority(-100)
  package static let normal = EventPriority(0)
  package static let low = EventPriority(100)
}
