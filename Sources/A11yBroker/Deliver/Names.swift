// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

/// The names of one list of a filter.
///
/// Most lists are short, and comparing beats hashing; but a line has room for thousands of names,
/// and an entry must not cost as many comparisons.
struct Names: Sendable, Equatable {
  /// The number of names up to which comparing is at least as fast.
  private static let few = 8

  private let list: [[UInt8]]
  private let set: Set<[UInt8]>

  init(_ names: [[UInt8]]) {
    list = names.count <= Self.few ? names : []
    set = names.count <= Self.few ? [] : Set(names)
  }

  func contain(_ name: Span<UInt8>) -> Bool {
    if !set.isEmpty { return set.contains(name.array) }
    for known in list where name.equals(known) { return true }
    return false
  }
}
