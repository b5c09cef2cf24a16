// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire

/// A file in the runtime directory that knows the last entry that has left in this boot.
///
/// A start that finds less in the log learns from it that somebody may have seen more: entries were
/// delivered that the disk did not take, or an older log was put back in the place of this one.
/// Where there is no runtime directory nothing is known.
final class LeftMark {
  /// The epoch in hex, and the seq.
  private let file: MappedFile?

  private static let epochBytes = 32
  private static let bytes = epochBytes + 8

  /// The mark of the log in this directory.
  init(of log: FileIdentity, in runtime: String?) {
    guard let runtime else {
      file = nil
      return
    }
    try? Directory.create(runtime, mode: 0o700)
    file = try? MappedFile("\(runtime)/left-\(log.device)-\(log.inode)", count: Self.bytes)
  }

  /// The last entry that has left; nil where the mark is new.
  var cursor: Cursor? {
    guard let file else { return nil }
    let hex = String(decoding: file.read(Self.epochBytes, at: 0), as: UTF8.self)
    guard let epoch = Epoch(hex: hex), let seq = Seq(stated: file.number(at: Self.epochBytes))
    else { return nil }
    return Cursor(epoch: epoch, seq: seq)
  }

  /// Begins the life of a bus, with nothing of it seen yet but what was before.
  func begin(_ cursor: Cursor) {
    // Between the two the epoch is none, so that a process killed here leaves no wrong pair.
    file?.write([0], at: 0)
    note(cursor.seq)
    file?.write(cursor.epoch.hex.utf8, at: 0)
  }

  /// Notes that entries up to this one are about to leave.
  func note(_ seq: Seq) { file?.write(seq.number, at: Self.epochBytes) }
}
