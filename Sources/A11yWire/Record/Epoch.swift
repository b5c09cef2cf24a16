// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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

extension ByteBuffer {
  /// Appends the member `epochs`, the list of these.
  package mutating func appendEpochs(_ epochs: [EpochStart]) {
    array("epochs", of: epochs) { out, start in
      out.object { out in
        out.append(member: "epoch", start.epoch.hex)
        out.append(member: "ordinal", start.ordinal)
        out.append(member: "began", start.began)
        out.append(member: "first", start.first.number)
      }
    }
  }
}
