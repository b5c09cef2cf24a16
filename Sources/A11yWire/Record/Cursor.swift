// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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
