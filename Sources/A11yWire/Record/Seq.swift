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

/// One unbroken life of the log's numbering: 128 random bits in hex.
///
/// A new one begins when lines may have been delivered that are not on the disk; so a cursor states
/// its epoch.
public struct Epoch: Hashable, Sendable {
  public let hex: String

  /// Accepts 32 lower-case hex digits and nothing else.
  public init?(hex: some StringProtocol) {
    let isHex = hex.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    guard hex.utf8.count == 32, isHex else { return nil }
    self.hex = String(hex)
  }
}

/// An epoch, its beginning and its first entry.
package struct EpochStart: Equatable, Sendable {
  package let epoch: Epoch
  package let first: Seq
  /// The number of the epoch among all of its log, from 1.
  package let ordinal: Int64
  /// The wall clock's microseconds since 1970; zero where that is not known.
  package let began: Int64

  package init(epoch: Epoch, first: Seq, ordinal: Int64 = 1, began: Int64 = 0) {
    self.epoch = epoch
    self.first = first
    self.ordinal = ordinal
    self.began = began
  }

  /// The epoch that comes after this one.
  package func follower(_ epoch: Epoch, first: Seq, began: Int64) -> EpochStart {
    EpochStart(epoch: epoch, first: first, ordinal: ordinal + 1, began: began)
  }
}

extension EpochStart {
  package static let form = ObjectForm<EpochStart>([
    .always("epoch", .epoch, "The epoch.", \.epoch),
    .always("ordinal", .seq, "Its number among the epochs of this log, from 1.", \.ordinal),
    .always("began", .count, "When it began, in microseconds since 1970.", \.began),
    .always("first", .seq, "Its first seq.", \.first),
  ])
}
