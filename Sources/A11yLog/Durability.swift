// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
import A11yWire
import Glibc

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

/// Brings files to the medium while the loop goes on.
package protocol Syncing: AnyObject {
  /// Asks for a file, and for the directory's names where the file is new; false where that is not
  /// possible now. One request is out at a time.
  func request(_ file: any DiskFile, isNew: Bool) -> Bool

  /// The result of the request that was out; nil while it is still out. To be called when there is
  /// an answer of either kind.
  func answer() -> Result<Void, Errno>?

  /// Waits for the result of the request that is out; called only while one is.
  func wait() -> Result<Void, Errno>

  /// Asks for a file beside the segments, any number at a time; false where that is not possible
  /// now.
  func bring(_ file: any DiskFile) -> Bool

  /// The result of the oldest such file; nil until `answer` has received it.
  func brought() -> (file: any DiskFile, result: Result<Void, Errno>)?
}

/// Synchronizes files on a thread of its own.
///
/// `fdatasync` takes as long as the disk takes, and the loop must not wait for it. The thread
/// shares nothing: the number of a file goes down a socket, the answers come back in the same
/// order, and the file is kept open until then. Lines that are written meanwhile go with the next
/// request, which is the group commit.
package final class Syncer: Syncing {
  /// The directory, whose names have to survive too.
  private let directory: FileDescriptor
  /// Readable when the thread has answered.
  package let answers: FileDescriptor
  private let thread: pthread_t
  /// The requests that are out, in their order.
  private var asked: [(file: any DiskFile, isBeside: Bool)] = []
  private var result: Result<Void, Errno>?
  private var besides: [(file: any DiskFile, result: Result<Void, Errno>)] = []

  package init(directory path: String) throws(Errno) {
    let directory = try FileDescriptor.open(path, [.readOnly, .directory])
    let pair = try UnixStream.pair()
    let theirs = pair.second.relinquish()
    answers = pair.first
    self.directory = directory
    // A new thread inherits the blocked signals. Signals are for the loop; delivered to this
    // thread, one would end the process.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    var made = pthread_t()
    let context = UnsafeMutableRawPointer(bitPattern: Int(theirs))
    let result = pthread_create(&made, nil, synchronizeForever, context)
    guard result == 0 else {
      _ = FileDescriptor(adopting: theirs)
      throw Errno(rawValue: result)
    }
    thread = made
  }

  package func request(_ file: any DiskFile, isNew: Bool) -> Bool {
    ask(file, isNew: isNew, isBeside: false)
  }

  package func bring(_ file: any DiskFile) -> Bool { ask(file, isNew: false, isBeside: true) }

  private func ask(_ file: any DiskFile, isNew: Bool, isBeside: Bool) -> Bool {
    guard let number = file.number else { return false }
    let numbers = (number, isNew ? directory.number : -1)
    let isSent = withUnsafeBytes(of: numbers) { answers.send($0) == .sent($0.count) }
    if isSent { asked.append((file, isBeside)) }
    return isSent
  }

  package func answer() -> Result<Void, Errno>? {
    receiveAnswers()
    defer { result = nil }
    return result
  }

  /// Receives no answers itself, for one to a request for a segment would be received too, and
  /// nobody would be told of it.
  package func brought() -> (file: any DiskFile, result: Result<Void, Errno>)? {
    besides.isEmpty ? nil : besides.removeFirst()
  }

  package func wait() -> Result<Void, Errno> {
    while asked.contains(where: { !$0.isBeside }) {
      do throws(Errno) {
        _ = try answers.waitReady(for: .readable, timeoutMilliseconds: -1)
      } catch {
        return .failure(error)
      }
      guard receiveAnswers() else { break }
    }
    return answer() ?? .failure(.inputOutput)
  }

  /// Receives the thread's answers so far; false where there is none.
  @discardableResult
  private func receiveAnswers() -> Bool {
    var isAny = false
    while !asked.isEmpty {
      var code: Int32 = 0
      let received = withUnsafeMutableBytes(of: &code) { answers.receive(into: $0) }
      guard received == .bytes(4) else { break }
      isAny = true
      let came: Result<Void, Errno> = code == 0 ? .success(()) : .failure(Errno(rawValue: code))
      let (file, isBeside) = asked.removeFirst()
      if isBeside { besides.append((file, came)) } else { result = came }
    }
    return isAny
  }
}

/// The thread: receives the numbers of a file and its directory (or −1), waits for the disk,
/// answers with zero or an errno.
private func synchronizeForever(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  let requests = FileDescriptor(adopting: Int32(Int(bitPattern: context)))
  while let ready = try? requests.waitReady(for: .readable, timeoutMilliseconds: -1) {
    guard ready.contains(.readable) else { return nil }
    var numbers: (file: Int32, directory: Int32) = (-1, -1)
    let received = withUnsafeMutableBytes(of: &numbers) { requests.receive(into: $0) }
    guard received == .bytes(8) else { return nil }
    var answer = synchronize(numbers.file, fdatasync)
    if answer == 0, numbers.directory >= 0 { answer = synchronize(numbers.directory, fsync) }
    if answer == 0, !hasName(numbers.file) { answer = ENOENT }
    let sent = withUnsafeBytes(of: answer) { requests.send($0) }
    guard sent == .sent(4) else { return nil }
  }
  return nil
}

/// Whether the file has a name still: a file that was removed meanwhile could not be found again.
private func hasName(_ number: Int32) -> Bool {
  var status = stat()
  return fstat(number, &status) == 0 && status.st_nlink > 0
}

private func synchronize(_ number: Int32, _ call: (Int32) -> Int32) -> Int32 {
  while call(number) != 0 {
    if errno != EINTR { return errno }
  }
  return 0
}

// How the medium comes to have what is written.
extension EventLog {
  package var hasUnsynced: Bool { !durability.isIdle }

  /// Whether segments fill faster than the medium gets them.
  package var isCrowded: Bool { durability.isCrowded }

  package func synchronize() {
    spare.tidy()
    durability.hurry(through: last)
  }

  /// The consequence of an answer of the disk.
  package enum SyncNews: Equatable, Sendable {
    case nothing
    /// Entries up to `synced` are safe.
    case progress
    /// The disk has not kept written entries; they are in another segment now.
    case rescued(Errno)
    /// The log is in `trouble`, and entries that are to be safe are not.
    case failed(Errno)
  }

  package func takeSyncAnswer(mono: Int64) -> SyncNews {
    switch durability.takeAnswer() {
    case nil: return .nothing
    case .success:
      confirmSafety()
      return .progress
    case .failure(let error):
      return rescue(from: error, mono: mono)
    }
  }

  /// Waits until the medium has everything that is written.
  func secure(mono: Int64) -> SyncNews {
    guard trouble == nil, hasUnsynced else { return .nothing }
    do throws(Errno) {
      try disk.synchronizeNames()
      try durability.finish()
      confirmSafety()
      return .progress
    } catch {
      return rescue(from: error, mono: mono)
    }
  }

  private func confirmSafety() {
    isOnProbation = false
    if !hasUnsynced { spare.clear() }
    if trouble != nil, active.file != nil { endTrouble() } else { writeWatermark() }
  }

  func writeWatermark() {
    watermark.write(synced: durability.synced, isWhole: trouble == nil)
  }
}
