// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
import Glibc

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
