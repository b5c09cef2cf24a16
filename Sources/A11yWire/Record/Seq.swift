// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The place of an entry in the log: dense, from 1, never used twice.
public struct Seq: TableKey, Comparable, Sendable {
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
  /// The bus gives seqs itself, one after the other.
  public var tableNumber: Int64 { number }
}
