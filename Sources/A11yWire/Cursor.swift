// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The place of an entry in the log: dense, from 1, never used twice.
package struct Seq: Hashable, Comparable, Sendable {
  package let number: Int64

  package init(_ number: Int64) { self.number = number }

  /// The seq that a text states; nil where no entry can have it.
  package init?(stated number: Int64) {
    guard Self.numbers.contains(number) else { return nil }
    self.init(number)
  }

  /// All that every reader of JSON keeps exactly: 280,000 years of a thousand entries a second.
  private static let numbers: ClosedRange<Int64> = 0...1 << 53

  /// Before the first entry.
  package static let none = Seq(0)

  package var next: Seq { Seq(number + 1) }
  package var previous: Seq { Seq(number - 1) }

  // Compared and looked up everywhere, many times for each event: without a call.
  @inlinable package static func == (a: Seq, b: Seq) -> Bool { a.number == b.number }
  @inlinable package static func < (a: Seq, b: Seq) -> Bool { a.number < b.number }
  @inlinable package func hash(into hasher: inout Hasher) { hasher.combine(number) }

  // The bus gives them itself, one after the other: nobody can choose some that meet in a table.
  @inlinable package func _rawHashValue(seed: Int) -> Int { spread(number, seed: seed) }
}

/// Spreads numbers that count something over a table, where none of them is anybody's choice.
@inlinable package func spread(_ number: Int64, seed: Int) -> Int {
  let product = UInt64(bitPattern: number ^ Int64(seed)) &* 0x9e37_79b9_7f4a_7c15
  return Int(truncatingIfNeeded: product ^ product >> 32)
}

/// One unbroken life of the log's numbering: 128 random bits in hex.
///
/// It changes when lines may have left that are not on disk; so a cursor says which life it means.
package struct Epoch: Hashable, Sendable {
  package let hex: String

  /// Takes 32 lower-case hex digits and nothing else.
  package init?(hex: some StringProtocol) {
    let isHex = hex.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    guard hex.utf8.count == 32, isHex else { return nil }
    self.hex = String(hex)
  }
}

/// “After this entry”, in the words of the wire: `epoch:seq`.
package struct Cursor: Hashable, Sendable {
  package let epoch: Epoch
  package let seq: Seq

  package init(epoch: Epoch, seq: Seq) {
    self.epoch = epoch
    self.seq = seq
  }

  package init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let epoch = Epoch(hex: parts[0]),
      let number = Array(parts[1].utf8).span.decimal, number >= 0, parts[1].first != "-"
    else { return nil }
    self.init(epoch: epoch, seq: Seq(number))
  }

  package var text: String { "\(epoch.hex):\(seq.number)" }
}
