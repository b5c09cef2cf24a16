// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// How many elements one walk may look at.
///
/// A walk that looks at each element of an app twice ends well before that. Beyond it are walks that
/// come to the same elements again and again, as from each of forty thousand elements that stand in
/// each other to all that are around it: there the walk ends as if nothing more came. The number is
/// the same everywhere, so that a replay ends at the same element.
struct Steps {
  private var left: Int

  static let most = 2 * Limits.elementsPerApp + 1_024

  init() { left = Self.most }

  /// Whether one more element may be looked at, or one that costs as much as some.
  mutating func spend(_ cost: Int = 1) -> Bool {
    left -= cost
    return left >= 0
  }

  var isSpent: Bool { left <= 0 }
}
