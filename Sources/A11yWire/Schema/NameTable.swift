// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import CBytes

/// Names by their order, found again by their bytes with about one comparison.
struct NameTable: Sendable {
  private let names: [StaticString]
  /// By what is left of a name's sum, its number; those of names that meet stand one behind another.
  private var places = [UInt8](repeating: Self.vacant, count: 1 << Self.bits)

  private static let bits = 7
  private static let vacant = UInt8.max

  init(_ names: [StaticString]) {
    precondition(2 * names.count < 1 << Self.bits, "a search soon meets a place that is vacant")
    self.names = names
    for (number, name) in names.enumerated() {
      var place = Self.sum(Array(name.description.utf8).span)
      while places[place] != Self.vacant { place = Self.next(place) }
      places[place] = UInt8(number)
    }
  }

  func index(of name: Span<UInt8>) -> Int? {
    var place = Self.sum(name)
    while places[place] != Self.vacant {
      let number = Int(places[place])
      if name.equals(names[number]) { return number }
      place = Self.next(place)
    }
    return nil
  }

  /// Length, first and last letters in a few bits.
  private static func sum(_ name: Span<UInt8>) -> Int {
    let sum = unsafe name.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return UInt64(0) }
      return unsafe a11y_ends(base, bytes.count)
    }
    return Int(truncatingIfNeeded: (sum &* 0x9e37_79b9_7f4a_7c15) >> UInt64(64 - bits))
  }

  private static func next(_ place: Int) -> Int { (place + 1) & (1 << bits - 1) }
}
