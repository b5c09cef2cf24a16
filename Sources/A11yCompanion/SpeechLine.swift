// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
package import Systemd

/// A connection to speech-dispatcher, which is started where nobody listens.
///
/// No call waits, and no news comes within a call.
package final class SpeechLine {
  package enum News {
    case opened
    case bytes([UInt8])
    /// The connection has ended.
    case closed
    /// None can be made.
    case failed(String)
  }

  private let server: SpeechServer
  private let loop: EventLoop
  private let onNews: (News) -> Void
  private var stream: LoopStream?
  private var attempt: Timer?
  /// The moment at which the attempts to connect end.
  private var patienceEnds: UInt64 = 0

  /// The time in which a new speech-dispatcher takes connections; it loads its synthesizers first.
  private static let patience: UInt64 = 10_000_000
  private static let betweenAttempts: UInt64 = 25_000

  package init(
    to server: SpeechServer,
    on loop: EventLoop,
    onNews: @escaping (News) -> Void
  ) throws(Errno) {
    self.server = server
    self.loop = loop
    self.onNews = onNews
    attempt = try Timer(on: .monotonic, priority: .normal, on: loop) { [unowned self] in
      tryToConnect()
    }
  }

  /// The process that listens at the other end.
  package var peer: Int32? { stream?.peer }

  /// Connects, or connects anew.
  package func connect() {
    hangUp()
    patienceEnds = SystemClock.monotonicMicroseconds() + Self.patience
    attempt?.arm(afterMicroseconds: 0)
  }

  /// Sends as much as speech-dispatcher takes; the rest goes when there is room.
  ///
  /// One command is under way at a time, so the rest is never more than one text.
  package func send(_ text: String) { stream?.send(Array(text.utf8)) }

  package func hangUp() {
    stream = nil
    attempt?.disarm()
  }

  private func tryToConnect() {
    guard !server.isLeaving else { return waitOrFail("it does not end") }
    do throws(Errno) {
      let descriptor = try UnixStream.connectAtOnce(path: server.path)
      guard try !server.isLeaving(descriptor.peer().pid) else {
        return waitOrFail("it does not end")
      }
      stream = try LoopStream(descriptor, on: loop) { [unowned self] news in
        switch news {
        case .bytes(let bytes): onNews(.bytes(bytes))
        case .sent: break
        case .gone:
          hangUp()
          onNews(.closed)
        }
      }
      onNews(.opened)
    } catch .noSuchFile, .connectionRefused {
      startOrWait()
    } catch .wouldBlock {
      waitOrFail("it takes no connections")
    } catch {
      onNews(.failed("speech-dispatcher cannot be reached: \(error)"))
    }
  }

  private func startOrWait() {
    guard !server.isChild else { return waitOrFail("it does not take connections") }
    do throws(Errno) {
      try server.start()
      waitOrFail("it does not start")
    } catch .noSuchFile {
      onNews(.failed("speech-dispatcher is not installed"))
    } catch {
      onNews(.failed("speech-dispatcher cannot be started: \(error)"))
    }
  }

  private func waitOrFail(_ trouble: String) {
    if SystemClock.monotonicMicroseconds() < patienceEnds {
      attempt?.arm(afterMicroseconds: Self.betweenAttempts)
    } else {
      server.forgetStranger()
      onNews(.failed("speech-dispatcher: \(trouble)"))
    }
  }
}

/// The speech-dispatcher at an address, a child of ours where nobody else has started one.
package final class SpeechServer {
  package let path: String
  private let command: [String]
  package private(set) var child: ChildProcess?
  /// A child that is being ended; its socket takes connections until it has gone.
  private var leaving: ChildProcess?
  /// Somebody else's speech-dispatcher that is being ended.
  private var leavingStranger: Int32?

  /// The one at this path, which the command starts there.
  package init(path: String, command: [String]) {
    self.path = path
    self.command = command
  }

  /// The directory of the socket.
  package var directory: String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "." }

  package var isChild: Bool { child?.isRunning == true }

  fileprivate func start() throws(Errno) {
    // Its synthesizers may have outlived it.
    child?.killGroup()
    try? Directory.create(directory, mode: 0o700)
    child = try ChildProcess(command)
  }

  /// Kills the one that is ours.
  package func killChild() {
    child?.killGroup()
    (leaving, child) = (child, nil)
  }

  /// Kills the one of somebody else that is this process.
  package func kill(stranger: Int32) {
    Processes.signal(.kill, to: stranger)
    leavingStranger = stranger
  }

  /// Takes a stranger that does not end as it is.
  fileprivate func forgetStranger() { leavingStranger = nil }

  /// Whether a child is being ended.
  fileprivate var isLeaving: Bool {
    if leaving?.isRunning != true { leaving = nil }
    return leaving != nil
  }

  /// Whether a process that takes connections is being ended: it does so until its last thread has
  /// gone.
  fileprivate func isLeaving(_ process: Int32) -> Bool {
    if process != leavingStranger { leavingStranger = nil }
    return leavingStranger != nil
  }
}
