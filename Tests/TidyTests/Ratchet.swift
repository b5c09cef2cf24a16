// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A bound that all new things keep, with a table of the old things that do not keep it yet.
///
/// Nothing in the table may get worse, and an entry has to go as soon as it is not needed.
struct Ratchet: Sendable {
  /// The most that anything not in the table may have.
  let cap: Int
  /// The present measure of each thing that has more.
  let today: [String: Int]

  init(cap: Int, _ today: [String: Int] = [:]) {
    self.cap = cap
    self.today = today
  }

  /// A ratchet of things that should not be there at all.
  init(none today: [String]) {
    self.init(cap: 0, Dictionary(uniqueKeysWithValues: today.map { ($0, 1) }))
  }

  /// Sentences about each thing that is worse than it may be, and each entry that is not needed.
  func faults(in found: [String: Int]) -> [String] {
    let worse = found.filter { $0.value > max(cap, today[$0.key] ?? cap) }.map { key, value in
      "\(key): \(value), and at most \(today[key] ?? cap) is allowed"
    }
    let spare = today.keys.filter { found[$0] ?? 0 <= cap }.map { key in
      "\(key): keeps the cap of \(cap) now, remove its entry in Ratchets.swift"
    }
    return worse.sorted() + spare.sorted()
  }
}
