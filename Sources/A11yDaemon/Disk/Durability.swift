// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yCore
import A11yLog
import A11yPosix
import A11yWire

/// What has been written but may still be lost with the power, and the way to the end of that.
///
/// Whoever asked for `synced` is answered as soon as the disk is done; everything else is brought
/// there within a second, so that the loss window is what `hello` says.
final class Durability {
  /// Entries up to this one survive a loss of power.
  private(set) var synced: Seq
  let syncer: Syncer
  /// Segments with bytes that are not yet on the medium, oldest first.
  private var waiting: [SegmentFile] = []
  /// The file that is out, and the last entry that will be safe when it comes back.
  private var out: (file: SegmentFile, through: Seq)?
  /// Somebody waits for entries up to this one; what is behind it can wait for the next alarm.
  private var wanted: Seq

  /// The segment whose name has been brought to the medium.
  private var known: SegmentFile?
  /// What the kernel could not bring to the medium it has forgotten: a later success says nothing
  /// about it, so that nothing counts as safe any more.
  private var hasFailed = false

  init(synced: Seq, directory: String) throws(Errno) {
    self.synced = synced
    wanted = synced
    syncer = try Syncer(directory: directory)
  }

  var isIdle: Bool { waiting.isEmpty && out == nil }

  /// Segments are rolled faster than the disk is asked; they are held open until it was.
  var isCrowded: Bool { waiting.count > Self.crowd }

  private static let crowd = 4

  /// Notes that `file` was appended to.
  func note(_ file: SegmentFile) {
    if waiting.last !== file { waiting.append(file) }
  }

  /// Brings what is written so far to the medium, at once or as soon as the disk is free.
  func hurry(through last: Seq) {
    wanted = max(wanted, last)
    begin(through: last)
  }

  private func begin(through last: Seq) {
    guard out == nil, let file = waiting.first else { return }
    // Of a segment that has a successor all entries are written already.
    let through = waiting.count > 1 ? waiting[1].first.previous : last
    guard syncer.request(file.descriptor, isNew: file !== known) else { return }
    known = file
    waiting.removeFirst()
    out = (file, through)
  }

  /// Takes the thread's answer; what it failed at is told, and is not believed the next time.
  func takeAnswer(last: Seq) -> Errno? {
    guard let answer = syncer.answer(), let done = out else { return nil }
    out = nil
    var fault: Errno?
    switch answer {
    case .success where !hasFailed: synced = max(synced, done.through)
    case .success: break
    case .failure(let error):
      hasFailed = true
      fault = error
    }
    if synced < wanted, !hasFailed { begin(through: last) }
    return fault
  }

  /// Waits until all that is written is on the medium, at the end.
  func finish() throws(Errno) {
    if let out { try out.file.descriptor.synchronizeData() }
    for file in waiting { try file.descriptor.synchronizeData() }
  }
}
