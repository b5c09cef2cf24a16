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

/// One unbroken life of the log's numbering: 128 random bits in hex.
///
/// It changes when lines may have left that are not on disk; so a cursor says which life it means.
public struct Epoch: Hashable, Sendable {
  public let hex: String

  /// Takes 32 lower-case hex digits and nothing else.
  public init?(hex: some StringProtocol) {
    let isHex = hex.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    guard hex.utf8.count == 32, isHex else { return nil }
    self.hex = String(hex)
  }
}

/// “After this entry”, in the words of the wire: `epoch:seq`.
public struct Cursor: Hashable, Sendable {
  public let epoch: Epoch
  public let seq: Seq

  public init(epoch: Epoch, seq: Seq) {
    self.epoch = epoch
    self.seq = seq
  }

  public init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let epoch = Epoch(hex: parts[0]),
      let number = Array(parts[1].utf8).span.decimal, number >= 0, parts[1].first != "-"
    else { return nil }
    self.init(epoch: epoch, seq: Seq(number))
  }

  public var text: String { "\(epoch.hex):\(seq.number)" }
}
