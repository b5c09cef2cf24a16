// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire

/// A segment's entries, divided into those that the medium has and those that it may not have.
struct Division {
  /// The last entry that the medium has.
  let synced: Seq
  /// The segment's end there.
  private(set) var end: SegmentEnd
  /// The later entries, in whole lines.
  private(set) var lines: [UInt8] = []
  /// The bytes that they may take.
  private let room: Int

  init(of first: Seq, behind synced: Seq, in file: any DiskFile) {
    self.synced = synced
    end = SegmentEnd(before: first)
    room = Int((try? file.size()) ?? 0)
  }

  /// Adds the next intact entry to its side.
  mutating func divide(_ line: Span<UInt8>, _ seq: Seq) {
    if seq > synced {
      if lines.isEmpty { lines.reserveCapacity(room) }
      unsafe line.withUnsafeBufferPointer { unsafe lines += $0 }
      lines.append(UInt8(ascii: "\n"))
    } else if let checksum = LineChecksum.stated(line) {
      end.include(seq, checksum)
    }
  }
}
