// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

/// A checkpoint as the lines of a file, a slice at a time.
struct CheckpointLines {
  private var rest: any StateLines
  private var end = StateEnd()

  /// Appends the first lines: where the checkpoint stands, and what of the state cannot wait.
  init(
    _ source: borrowing some StateSource & ~Copyable,
    beside header: SegmentHeader,
    after: Seq,
    hasForgotten: Bool = false,
    into out: inout ByteBuffer
  ) {
    let start = out.count
    out.appendLine { out in
      out.append(member: "after", after.number)
      if hasForgotten { out.append(member: "forgotten", true) }
      out.object("header") { header.writeMembers(into: &$0) }
    }
    rest = source.beginLines(into: &out)
    countLine(out, from: start)
  }

  /// Appends lines until `out` has about `budget` bytes; true when the last one is among them.
  mutating func appendLines(into out: inout ByteBuffer, budget: Int) -> Bool {
    guard out.count < budget else { return false }
    let start = out.count
    let isLast = rest.appendLines(into: &out, budget: budget)
    countLine(out, from: start)
    if isLast { end.write(into: &out) }
    return isLast
  }

  private mutating func countLine(_ out: borrowing ByteBuffer, from start: Int) {
    let text = out.bytes
    var at = start
    while let newline = text.firstIndex(of: UInt8(ascii: "\n"), from: at) {
      guard let checksum = LineChecksum.stated(text.extracting(at..<newline)) else {
        preconditionFailure("every line of a state is sealed")
      }
      end.include(checksum)
      at = newline + 1
    }
  }
}
