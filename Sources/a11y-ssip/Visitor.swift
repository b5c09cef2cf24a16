// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Systemd

/// The socket of a client; no call waits.
final class Visitor {
  private let socket: Socket
  private var watch: Watch?
  private var unsent: [UInt8] = []
  private var isReading = true
  /// Whether the connection ends as soon as all is sent.
  private var isLeaving = false

  /// Bytes of one receive.
  private static let room = 16_384

  /// A descriptor that can be handed to a watch.
  private final class Socket {
    let descriptor: FileDescriptor

    init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
  }

  /// The news of a client.
  enum News {
    case bytes([UInt8])
    case sent(Int)
    /// It has gone, or was let go.
    case gone
  }

  init(
    _ descriptor: consuming FileDescriptor,
    on loop: EventLoop,
    onNews: @escaping (News) -> Void
  ) throws(Errno) {
    socket = Socket(descriptor)
    watch = try Watch(
      socket.descriptor,
      ownedBy: socket,
      for: .readable,
      priority: .normal,
      on: loop
    ) { [unowned self] readiness in
      if !unsent.isEmpty { push(onNews) }
      if isReading || !readiness.isDisjoint(with: [.hangUp, .error]) { receive(onNews) }
    }
  }

  /// Waits for what there is to do.
  private func adjust() {
    var interest: Readiness = []
    if isReading { interest.insert(.readable) }
    if !unsent.isEmpty { interest.insert(.writable) }
    watch?.change(to: interest)
  }

  /// Sends bytes behind those that are to be sent already.
  func send(_ bytes: [UInt8], _ onNews: (News) -> Void) {
    unsent += bytes
    if unsent.count == bytes.count { push(onNews) }
  }

  /// Ends the connection when all is sent.
  func leave(_ onNews: (News) -> Void) {
    isLeaving = true
    if unsent.isEmpty { onNews(.gone) }
  }

  /// Reads on or not.
  func read(_ isWanted: Bool) {
    guard isWanted != isReading else { return }
    isReading = isWanted
    adjust()
  }

  private func receive(_ onNews: (News) -> Void) {
    var bytes = [UInt8](repeating: 0, count: Self.room)
    switch bytes.withUnsafeMutableBytes({ socket.descriptor.receive(into: $0) }) {
    case .bytes(let count):
      bytes.removeLast(bytes.count - count)
      onNews(.bytes(bytes))
    case .wouldBlock: break
    case .ended, .failed: onNews(.gone)
    }
  }

  private func push(_ onNews: (News) -> Void) {
    var count = 0
    while !unsent.isEmpty {
      guard case .sent(let more) = unsent.withUnsafeBytes({ socket.descriptor.send($0) }) else {
        break
      }
      unsent.removeFirst(more)
      count += more
    }
    adjust()
    if count > 0 { onNews(.sent(count)) }
    if isLeaving, unsent.isEmpty { onNews(.gone) }
  }
}
