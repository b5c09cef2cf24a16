// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11ySpeech
import Systemd

/// A connection to the real speech-dispatcher, which is started where nobody listens.
///
/// No call waits.
final class SpeechLine {
  enum News {
    case opened
    case bytes([UInt8])
    /// It has ended, or cannot be made.
    case closed
  }

  private let server: SpeechServer
  private let loop: EventLoop
  private let onNews: (News) -> Void
  private var stream: LoopStream?
  private var attempt: Timer?
  /// The moment at which the attempts to connect end.
  private let patienceEnds = SystemClock.monotonicMicroseconds() + 10_000_000

  private static let betweenAttempts: UInt64 = 25_000

  init(
    to server: SpeechServer,
    on loop: EventLoop,
    onNews: @escaping (News) -> Void
  ) throws(Errno) {
    self.server = server
    self.loop = loop
    self.onNews = onNews
    attempt = try Timer(on: .monotonic, priority: .normal, on: loop) { [unowned self] in connect() }
    attempt?.arm(afterMicroseconds: 0)
  }

  private func connect() {
    do throws(Errno) {
      let descriptor = try UnixStream.connectAtOnce(path: server.address.path)
      stream = try LoopStream(descriptor, on: loop) { [unowned self] news in
        switch news {
        case .bytes(let bytes): onNews(.bytes(bytes))
        case .sent: break
        case .gone:
          stream = nil
          onNews(.closed)
        }
      }
      onNews(.opened)
    } catch {
      if error == .noSuchFile || error == .connectionRefused { server.start() }
      guard SystemClock.monotonicMicroseconds() < patienceEnds, server.isThinkable else {
        return onNews(.closed)
      }
      attempt?.arm(afterMicroseconds: Self.betweenAttempts)
    }
  }

  /// Sends as much as speech-dispatcher takes; the rest goes when there is room.
  ///
  /// One command is under way at a time, so the rest is never more than one text.
  func send(_ text: String) { stream?.send(Array(text.utf8)) }
}

/// The speech-dispatcher behind the door, a child of ours where nobody else has started one.
final class SpeechServer {
  let address: SpeechAddress
  private var child: ChildProcess?
  /// Whether there may be a speech-dispatcher yet.
  private(set) var isThinkable = true

  init(_ address: SpeechAddress) { self.address = address }

  /// Starts it, unless it was started.
  func start() {
    guard child?.isRunning != true else { return }
    do throws(Errno) {
      child = try ChildProcess(address.serverCommand)
      isThinkable = true
    } catch {
      isThinkable = false
    }
  }

  /// Asks the one that is ours to end.
  func terminate() { child?.terminateGroup() }
}
