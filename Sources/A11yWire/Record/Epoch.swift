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

/// An epoch and its first entry.
package struct EpochStart: Equatable, Sendable {
  package let epoch: Epoch
  package let first: Seq

  package init(epoch: Epoch, first: Seq) {
    self.epoch = epoch
    self.first = first
  }
}
