// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire

/// What has been written but may still be lost with the power, and the way to the end of that.
///
/// Whoever asked for `synced` is answered as soon as the disk is done; everything else is brought
/// there within a second, so that the loss window is what `hello` says.
final class Durability {
  /// Entries up to this one survive a loss of power.
  private(set) var synced: Seq
  private let syncing: any Syncing
  /// Segments with bytes that are not yet on the medium, oldest first.
  private(set) var waiting: [Segment] = []
  /// What is out, and what will be safe when it comes back.
  private var out: Request?
  /// Somebody waits for entries up to this one; what is behind it can wait for the next alarm.
  private var wanted: Seq
  /// The segment whose name has been brought to the medium.
  private var known: Segment?

  private struct Request {
    let segment: Segment
    let offset: Int64
    let end: SegmentEnd
    /// What was asked before the disk failed is answered for what is no more.
    var isVoid = false
  }

  init(synced: Seq, syncing: any Syncing) {
    self.synced = synced
    wanted = synced
    self.syncing = syncing
  }

  var isIdle: Bool { waiting.isEmpty && out == nil }

  /// Segments are rolled faster than the disk is asked; they are held open until it was.
  var isCrowded: Bool { waiting.count > Self.crowd }

  private static let crowd = 4

  /// Notes that a segment was appended to.
  func note(_ segment: Segment) {
    if waiting.last !== segment { waiting.append(segment) }
  }

  /// Brings what is written so far to the medium, at once or as soon as the disk is free.
  func hurry(through last: Seq) {
    wanted = max(wanted, last)
    begin()
  }

  private func begin() {
    guard out == nil, let segment = waiting.first, let file = segment.file else { return }
    guard syncing.request(file, isNew: segment !== known) else { return }
    known = segment
    waiting.removeFirst()
    out = Request(segment: segment, offset: segment.end, end: segment.state)
  }

  /// Takes the disk's answer: nil where there is none, else whether it could be believed.
  func takeAnswer() -> Result<Void, Errno>? {
    syncing.answer().flatMap(take)
  }

  private func take(_ answer: Result<Void, Errno>) -> Result<Void, Errno>? {
    guard let done = out else { return nil }
    out = nil
    if done.isVoid {
      begin()
      return nil
    }
    var answer = answer
    // What the log has removed itself need not be safe.
    if done.segment.isDropped, answer.failure == .noSuchFile { answer = .success(()) }
    switch answer {
    case .success:
      synced = max(synced, done.end.last)
      done.segment.release(through: done.offset, done.end)
      if synced < wanted { begin() }
    case .failure(let error):
      // It is among the doubtful ones again.
      waiting.insert(done.segment, at: 0)
      doubt(done.segment, because: error)
    }
    return answer
  }

  /// Where a file was removed, what it had safe is gone with it.
  private func doubt(_ segment: Segment, because error: Errno) {
    if error == .noSuchFile { segment.loseSafety() }
  }

  /// Hands over the segments of which something may not be on the medium, and forgets them: the
  /// disk has failed, and would say anything the next time.
  func giveUp() -> [Segment] {
    var doubtful = waiting
    if let segment = out?.segment, doubtful.first !== segment { doubtful.insert(segment, at: 0) }
    out?.isVoid = true
    waiting = []
    return doubtful
  }

  /// Waits until all that is written is on the medium.
  func finish() throws(Errno) {
    // Whoever asks a second time hears nothing of a failure that the first was told of.
    while out != nil {
      if case .failure(let error) = take(syncing.wait()) { throw error }
    }
    for segment in waiting {
      guard let file = segment.file else { throw .inputOutput }
      do throws(Errno) {
        try file.synchronize()
      } catch .noSuchFile where segment.isDropped {
        // The log has removed it itself.
      } catch {
        doubt(segment, because: error)
        throw error
      }
      synced = max(synced, segment.last)
      segment.release(through: segment.end, segment.state)
    }
    waiting = []
  }
}

extension Result where Success == Void, Failure == Errno {
  fileprivate var failure: Errno? {
    if case .failure(let error) = self { error } else { nil }
  }
}
