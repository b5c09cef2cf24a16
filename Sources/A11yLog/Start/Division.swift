// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire

/// A segment's entries, divided into those that the medium has and those of which nobody knows.
struct Division {
  /// The last one that the medium has.
  let synced: Seq
  /// How the segment ends without what is behind that.
  private(set) var end: SegmentEnd
  /// What is behind it, in whole lines.
  private(set) var lines: [UInt8] = []
  /// As many bytes as there may be.
  private let room: Int

  init(of first: Seq, behind synced: Seq, in file: any DiskFile) {
    self.synced = synced
    end = SegmentEnd(before: first)
    room = Int((try? file.size()) ?? 0)
  }

  /// Takes the next intact entry.
  mutating func take(_ line: Span<UInt8>, _ seq: Seq) {
    if seq > synced {
      if lines.isEmpty { lines.reserveCapacity(room) }
      unsafe line.withUnsafeBufferPointer { unsafe lines += $0 }
      lines.append(UInt8(ascii: "\n"))
    } else if let checksum = LineChecksum.stated(line) {
      end.take(seq, checksum)
    }
  }
}
