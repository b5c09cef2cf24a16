// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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

/// One life of the numbering: from which entry on an epoch counts.
package struct EpochStart: Equatable, Sendable {
  package let epoch: Epoch
  package let first: Seq

  package init(epoch: Epoch, first: Seq) {
    self.epoch = epoch
    self.first = first
  }
}
