// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yWire

/// The lines that are written but may still be lost with the power, on their way to the medium.
///
/// Entries that somebody wants `synced` go at once; all others within a second, which is the loss
/// time that `hello` states.
final class Durability {
  /// Entries up to this one survive a loss of power.
  private(set) var synced: Seq
  private let syncing: any Syncing
  /// Segments with bytes that are not yet on the medium, oldest first.
  private(set) var waiting: [Segment] = []
  /// The request that the disk is working on.
  private var out: Request?
  /// Entries up to this one are waited for; later ones can wait for the next alarm.
  private var wanted: Seq
  /// The segment whose name has been brought to the medium.
  private var known: Segment?

  private struct Request {
    let segment: Segment
    let offset: Int64
    let end: SegmentEnd
    /// The disk has failed since, and the answer will be about segments that were given up.
    var isVoid = false
  }

  init(synced: Seq, syncing: any Syncing) {
    self.synced = synced
    wanted = synced
    self.syncing = syncing
  }

  var isIdle: Bool { waiting.isEmpty && out == nil }

  /// Segments are rolled faster than the disk is asked; each is held open until it was asked.
  var isCrowded: Bool { waiting.count > Self.crowd }

  private static let crowd = 4

  /// Adds a segment that was appended to.
  func enqueue(_ segment: Segment) {
    if waiting.last !== segment { waiting.append(segment) }
  }

  /// Brings what is written so far to the medium, at once or as soon as the disk is free.
  func hurry(through last: Seq) {
    wanted = max(wanted, last)
    sendRequest()
  }

  private func sendRequest() {
    guard out == nil, let segment = waiting.first, let file = segment.file else { return }
    guard syncing.request(file, isNew: segment !== known) else { return }
    known = segment
    waiting.removeFirst()
    out = Request(segment: segment, offset: segment.end, end: segment.state)
  }

  /// Accepts the disk's answer: nil where there is none, or none that counts.
  func takeAnswer() -> Result<Void, Errno>? {
    syncing.answer().flatMap(accept)
  }

  private func accept(_ answer: Result<Void, Errno>) -> Result<Void, Errno>? {
    guard let done = out else { return nil }
    out = nil
    if done.isVoid {
      sendRequest()
      return nil
    }
    var answer = answer
    // A file that the log itself has removed need not be safe.
    if done.segment.isDropped, answer.failure == .noSuchFile { answer = .success(()) }
    switch answer {
    case .success:
      synced = max(synced, done.end.last)
      done.segment.release(through: done.offset, done.end)
      if synced < wanted { sendRequest() }
    case .failure(let error):
      // The segment is among the doubtful ones again.
      waiting.insert(done.segment, at: 0)
      doubt(done.segment, because: error)
    }
    return answer
  }

  /// Counts all of a segment as lost whose file was removed.
  private func doubt(_ segment: Segment, because error: Errno) {
    if error == .noSuchFile { segment.loseSafety() }
  }

  /// Drops and returns the segments that may not be wholly on the medium: a disk that has failed
  /// may well report success the next time.
  func giveUp() -> [Segment] {
    var doubtful = waiting
    if let segment = out?.segment, doubtful.first !== segment { doubtful.insert(segment, at: 0) }
    out?.isVoid = true
    waiting = []
    return doubtful
  }

  /// Waits until everything that is written is on the medium.
  func finish() throws(Errno) {
    // The kernel reports a failure once, to the request that is out.
    while out != nil {
      if case .failure(let error) = accept(syncing.wait()) { throw error }
    }
    for segment in waiting {
      guard let file = segment.file else { throw .inputOutput }
      do throws(Errno) {
        try file.synchronize()
      } catch .noSuchFile where segment.isDropped {
        // The log has removed the file itself.
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
