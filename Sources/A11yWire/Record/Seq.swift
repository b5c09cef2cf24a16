// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The place of an entry in the log: dense, from 1, never used twice.
public struct Seq: Hashable, Comparable, Sendable {
  public let number: Int64

  public init(_ number: Int64) { self.number = number }

  /// The seq that a text states; nil where no entry can have it.
  public init?(stated number: Int64) {
    guard Self.numbers.contains(number) else { return nil }
    self.init(number)
  }

  /// All that every reader of JSON keeps exactly: 280,000 years of a thousand entries a second.
  private static let numbers: ClosedRange<Int64> = 0...1 << 53

  /// Before the first entry.
  public static let none = Seq(0)

  public var next: Seq { Seq(number + 1) }
  public var previous: Seq { Seq(number - 1) }

  // Compared and looked up everywhere, many times for each event.
  public static func == (a: Seq, b: Seq) -> Bool { a.number == b.number }
  public static func < (a: Seq, b: Seq) -> Bool { a.number < b.number }
  public func hash(into hasher: inout Hasher) { hasher.combine(number) }

  // The bus gives them itself, one after the other: nobody can choose some that meet in a table.
  public func _rawHashValue(seed: Int) -> Int { spread(number, seed: seed) }
}

/// Spreads numbers that count something over a table, where none of them is anybody's choice.
public func spread(_ number: Int64, seed: Int) -> Int {
  let product = UInt64(bitPattern: number ^ Int64(seed)) &* 0x9e37_79b9_7f4a_7c15
  return Int(truncatingIfNeeded: product ^ product >> 32)
}
