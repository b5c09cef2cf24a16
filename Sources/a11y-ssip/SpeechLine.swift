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
  private var connection: Connection?
  private var watch: Watch?
  private var attempt: Timer?
  private var unsent: [UInt8] = []
  /// The moment at which the attempts to connect end.
  private let patienceEnds = SystemClock.monotonicMicroseconds() + 10_000_000

  private static let betweenAttempts: UInt64 = 25_000
  private static let room = 65_536

  /// A descriptor that can be handed to a watch.
  private final class Connection {
    let descriptor: FileDescriptor

    init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
  }

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
      let fresh = Connection(try UnixStream.connectAtOnce(path: server.address.path))
      watch = try Watch(
        fresh.descriptor,
        ownedBy: fresh,
        for: .readable,
        priority: .normal,
        on: loop
      ) { [unowned self] _ in
        push()
        drain()
      }
      connection = fresh
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
  func send(_ text: String) {
    unsent += Array(text.utf8)
    push()
  }

  private func push() {
    guard let connection else { return }
    while !unsent.isEmpty {
      guard case .sent(let count) = unsent.withUnsafeBytes({ connection.descriptor.send($0) })
      else { break }
      unsent.removeFirst(count)
    }
    watch?.change(to: unsent.isEmpty ? .readable : [.readable, .writable])
  }

  private func drain() {
    guard let connection else { return }
    var bytes = [UInt8](repeating: 0, count: Self.room)
    switch bytes.withUnsafeMutableBytes({ connection.descriptor.receive(into: $0) }) {
    case .bytes(let count):
      bytes.removeLast(bytes.count - count)
      onNews(.bytes(bytes))
    case .wouldBlock: break
    case .ended, .failed:
      (watch, self.connection) = (nil, nil)
      onNews(.closed)
    }
  }
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
