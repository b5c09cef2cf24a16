// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Finds the known name that an unknown one was probably meant to be.
package enum NearestName {
  /// The nearest of `names`, if one is near enough to be worth offering.
  ///
  /// Near enough is a third of the letters: “retain_day” is one letter from “retain_days”, while
  /// “colour” and “socket”, of six letters each, differ in five and have nothing in common.
  package static func to(_ name: String, among names: some Sequence<String>) -> String? {
    let written = Array(name.lowercased().unicodeScalars)
    let farthest = max(1, written.count / 3)
    var nearest: (name: String, distance: Int)?
    for candidate in names {
      let letters = Array(candidate.unicodeScalars)
      // Names are short; a text far longer than all of them costs no comparison.
      guard abs(letters.count - written.count) <= farthest else { continue }
      let distance = steps(from: written, to: letters)
      if distance <= farthest, distance < nearest?.distance ?? .max {
        nearest = (candidate, distance)
      }
    }
    return nearest?.name
  }

  /// The number of letters to add, drop, change, or swap with their neighbour.
  private static func steps(from one: [Unicode.Scalar], to other: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...other.count)
    for row in one.indices {
      var current = [row + 1]
      for column in other.indices {
        var least = min(
          last[column + 1] + 1,
          current[column] + 1,
          last[column] + (one[row] == other[column] ? 0 : 1)
        )
        if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
          least = min(least, beforeLast[column - 1] + 1)
        }
        current.append(least)
      }
      (beforeLast, last) = (last, current)
    }
    return last[other.count]
  }
}
