// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// The standard error of a child.
///
/// The caller waits for the ready line; after that a thread goes on reading, because a full pipe
/// would stop the child in the middle of a figure. The last bytes are kept for the message of a
/// failure.
final class ChildOutput: Sendable {
  private static let keptBytes = 4096

  /// The output of the last child, which is most likely the cause of a failing figure.
  private static let newest = Mutex<ChildOutput?>(nil)

  /// The last words of the last child.
  static var newestWords: String? { newest.withLock { $0 }?.lastWords }

  private let number: Int32
  private let name: String
  private let heard = Mutex<[UInt8]>([])

  /// Takes over the reading end of the pipe of the child `name`.
  init(readingFrom number: Int32, of name: String) {
    self.number = number
    self.name = name
    ChildOutput.newest.withLock { $0 = self }
  }

  deinit { close(number) }

  /// The end of the output, for a message.
  var lastWords: String {
    "\(name) said last: " + heard.withLock { String(decoding: $0, as: UTF8.self) }
  }

  /// The last line, for a message of a load; empty where nothing was said.
  var lastLine: String {
    let lines = heard.withLock { $0.split(separator: 0x0A) }
    return lines.last.map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Waits for the ready line, and then reads in the background; false when the line does not come.
  func waitUntilReady() -> Bool {
    var interest = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    while poll(&interest, 1, Poller.patienceMilliseconds) > 0 {
      guard listen() else { return false }
      if saidReady() {
        goOnInBackground()
        return true
      }
    }
    return false
  }

  /// Reads to the end, and returns the wait status of the process.
  func waitUntilEnd(of process: pid_t) -> Int32 {
    while listen() {}
    return reap(process)
  }

  /// The wait status of the process, which ends soon.
  func reap(_ process: pid_t) -> Int32 {
    while true {
      if let status = Leftovers.reap(process) { return status }
      Clock.sleep(milliseconds: 1)
    }
  }

  /// Reads the next piece; false at the end.
  fileprivate func listen() -> Bool {
    var piece = [UInt8](repeating: 0, count: ChildOutput.keptBytes)
    let count = read(number, &piece, piece.count)
    guard count > 0 else { return false }
    heard.withLock { heard in
      heard += piece[..<count]
      heard.removeFirst(max(0, heard.count - ChildOutput.keptBytes))
    }
    return true
  }

  private func saidReady() -> Bool {
    heard.withLock { heard in
      heard.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast().contains {
        $0.starts(with: "a11yd: ready ".utf8)
      }
    }
  }

  /// Reads in the background from now on.
  func goOnInBackground() {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(self)
    guard pthread_create(&thread, nil, listenOn, context.toOpaque()) == 0 else {
      context.release()
      return
    }
    pthread_detach(thread)
  }
}

@c private func listenOn(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  let speech = Unmanaged<ChildOutput>.fromOpaque(context).takeRetainedValue()
  while speech.listen() {}
  return nil
}
