// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// The number of elements that one walk may still look at.
///
/// A walk that looks at each element of an app twice needs no more. Only walks that meet the same
/// elements again and again do, as from each of forty thousand nested elements to all around it;
/// such a walk ends as if nothing more came. The number is a constant, so that a replay ends at the
/// same element.
struct Steps {
  private var left: Int

  static let most = 2 * Limits.elementsPerApp + 1_024

  init() { left = Self.most }

  /// Spends steps; false when none were left.
  mutating func spend(_ cost: Int = 1) -> Bool {
    left -= cost
    return left >= 0
  }

  var isSpent: Bool { left <= 0 }
}
