// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix

/// A connection whose bytes the loop carries both ways; no call waits.
///
/// What the peer does not take at once goes as soon as it has room. A peer that has broken off is
/// told of when all that it has sent was read.
package final class LoopStream {
  package enum News: Equatable {
    case bytes([UInt8])
    /// The peer has taken so many of the bytes that had to wait.
    case sent(Int)
    /// It has gone, or was let go; the last of the news.
    case gone
  }

  private let socket: Socket
  private let onNews: (News) -> Void
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

  /// Tells news from the loop alone, never from a call.
  package init(
    _ descriptor: consuming FileDescriptor,
    on loop: EventLoop,
    onNews: @escaping (News) -> Void
  ) throws(Errno) {
    socket = Socket(descriptor)
    self.onNews = onNews
    watch = try Watch(
      socket.descriptor,
      ownedBy: socket,
      for: .readable,
      priority: .normal,
      on: loop
    ) { [unowned self] in serve($0) }
  }

  /// The process at the other end, which has connected or made the socket.
  package var peer: Int32? { try? socket.descriptor.peer().pid }

  /// Sends bytes behind those that wait, and returns how many have gone at once.
  @discardableResult
  package func send(_ bytes: [UInt8]) -> Int {
    unsent += bytes
    return push()
  }

  /// Ends the connection when all is sent; true where that is so already, and nothing is told.
  package func leave() -> Bool {
    isLeaving = true
    return unsent.isEmpty
  }

  /// Reads on or not.
  package func read(_ isWanted: Bool) {
    guard isWanted != isReading else { return }
    isReading = isWanted
    adjust()
  }

  /// Waits for what there is to do.
  private func adjust() {
    var interest: Readiness = []
    if isReading { interest.insert(.readable) }
    if !unsent.isEmpty { interest.insert(.writable) }
    watch?.change(to: interest)
  }

  private func serve(_ readiness: Readiness) {
    let count = push()
    if count > 0 { onNews(.sent(count)) }
    if isLeaving, unsent.isEmpty { return onNews(.gone) }
    if isReading || !readiness.isDisjoint(with: [.hangUp, .error]) { receive() }
  }

  private func push() -> Int {
    guard !unsent.isEmpty else { return 0 }
    var count = 0
    while case .sent(let more) = unsent[count...].withUnsafeBytes({ socket.descriptor.send($0) }) {
      count += more
      if count == unsent.count { break }
    }
    unsent.removeFirst(count)
    adjust()
    return count
  }

  private func receive() {
    var bytes = [UInt8](repeating: 0, count: Self.room)
    switch bytes.withUnsafeMutableBytes({ socket.descriptor.receive(into: $0) }) {
    case .bytes(let count):
      bytes.removeLast(bytes.count - count)
      onNews(.bytes(bytes))
    case .wouldBlock: break
    case .ended, .failed: onNews(.gone)
    }
  }
}
