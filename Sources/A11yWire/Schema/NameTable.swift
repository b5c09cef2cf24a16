// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import CBytes

/// Finds the number of a name by its bytes, with about one comparison.
struct NameTable: Sendable {
  private struct Entry: Sendable {
    let name: StaticString
    let ends: UInt64
  }

  private let entries: [Entry]
  /// The number of each name, at the place that its ends hash to or the next that was vacant.
  private var places = [UInt8](repeating: Self.vacant, count: 1 << Self.bits)

  private static let bits = 7
  private static let vacant = UInt8.max

  init(_ names: [StaticString]) {
    precondition(2 * names.count < 1 << Self.bits, "a search soon meets a place that is vacant")
    entries = names.map { Entry(name: $0, ends: Array($0.description.utf8).span.ends) }
    for (number, entry) in entries.enumerated() {
      var place = Self.firstPlace(of: entry.ends)
      while places[place] != Self.vacant { place = Self.next(place) }
      places[place] = UInt8(number)
    }
  }

  func index(of name: Span<UInt8>) -> Int? {
    let ends = name.ends
    var place = Self.firstPlace(of: ends)
    while places[place] != Self.vacant {
      let number = Int(places[place])
      if entries[number].ends == ends, isSame(name, entries[number].name) { return number }
      place = Self.next(place)
    }
    return nil
  }

  /// Whether two names with the same ends are the same as a whole.
  private func isSame(_ name: Span<UInt8>, _ known: StaticString) -> Bool {
    // Up to eight letters are in the ends.
    name.count <= 8 ? name.count == known.utf8CodeUnitCount : name.equals(known)
  }

  private static func firstPlace(of ends: UInt64) -> Int {
    Int(truncatingIfNeeded: (ends &* 0x9e37_79b9_7f4a_7c15) >> UInt64(64 - bits))
  }

  private static func next(_ place: Int) -> Int { (place + 1) & (1 << bits - 1) }
}

extension Span<UInt8> {
  /// Length and letters at either end, in one number.
  fileprivate var ends: UInt64 {
    unsafe withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return 0 }
      return unsafe a11y_ends(base, bytes.count)
    }
  }
}
