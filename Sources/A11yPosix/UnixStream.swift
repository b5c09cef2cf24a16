// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux

/// Connections over Unix stream sockets.
///
/// Reading and writing never wait here, whatever the descriptor's own flag says; who wants to wait
/// says so with `waitReady`. A vanished peer is an error of `send`, never a signal.
package enum UnixStream {
  /// Connects to a listening socket, waiting while its backlog is full.
  package static func connect(path: String) throws(Errno) -> FileDescriptor {
    FileDescriptor(adopting: try Errno.check(linux_connect(path, 0)))
  }

  /// Connects to a listening socket that has room in its backlog; `wouldBlock` where it has none.
  package static func connectAtOnce(path: String) throws(Errno) -> FileDescriptor {
    FileDescriptor(adopting: try Errno.check(linux_connect(path, 1)))
  }

  /// Two sockets that talk to each other.
  package static func pair() throws(Errno) -> Pair {
    var numbers: (Int32, Int32) = (-1, -1)
    let result = withUnsafeMutableBytes(of: &numbers) { bytes in
      bytes.withMemoryRebound(to: Int32.self) { linux_pair($0.baseAddress!) }
    }
    try Errno.check(result)
    return Pair(
      first: FileDescriptor(adopting: numbers.0),
      second: FileDescriptor(adopting: numbers.1)
    )
  }

  /// Both ends of a connection, each to be taken by its owner.
  @frozen
  package struct Pair: ~Copyable {
    package let first: FileDescriptor
    package let second: FileDescriptor
  }

  /// The outcome of looking for bytes.
  package enum Received: Equatable {
    case bytes(Int)
    case wouldBlock
    /// The peer sends no more, and all it has sent is read.
    case ended
    case failed(Errno)
  }

  /// The outcome of offering bytes.
  package enum Sent: Equatable {
    /// The kernel took this many, perhaps not all.
    case sent(Int)
    case wouldBlock
    case failed(Errno)
  }
}

extension FileDescriptor {
  /// Takes what a socket has for us, without waiting; `buffer` must not be empty.
  package borrowing func receive(
    into buffer: UnsafeMutableRawBufferPointer
  ) -> UnixStream.Received {
    precondition(!buffer.isEmpty, "an empty buffer would read as the end")
    let result = linux_receive(number, buffer.baseAddress, buffer.count)
    guard result < 0 else { return result == 0 ? .ended : .bytes(Int(result)) }
    let error = Errno(rawValue: Int32(0 - result))
    return error == .wouldBlock ? .wouldBlock : .failed(error)
  }

  /// Gives a socket what it will take, without waiting.
  package borrowing func send(_ bytes: UnsafeRawBufferPointer) -> UnixStream.Sent {
    let result = linux_send(number, bytes.baseAddress, bytes.count)
    guard result < 0 else { return .sent(Int(result)) }
    let error = Errno(rawValue: Int32(0 - result))
    return error == .wouldBlock ? .wouldBlock : .failed(error)
  }

  /// Gives a socket what it will take, without waiting.
  package borrowing func send(_ bytes: Span<UInt8>) -> UnixStream.Sent {
    bytes.withUnsafeBytes { send($0) }
  }

  /// Copies bytes of an open file into this socket inside the kernel and says how many went.
  ///
  /// 0 is the end of the file; a full socket throws `wouldBlock`. The call knows no MSG_NOSIGNAL:
  /// a program that uses it ignores SIGPIPE first (`Signals.ignoreBrokenPipe`).
  package borrowing func send(
    fileNumber file: Int32,
    from offset: Int64,
    count: Int
  ) throws(Errno) -> Int {
    Int(try Errno.check(linux_send_file(number, file, offset, count)))
  }

  /// Bounds what the kernel holds for a slow peer; the kernel doubles the number for its own needs.
  package borrowing func setSendBuffer(bytes: Int) throws(Errno) {
    try Errno.check(linux_set_send_buffer(number, Int32(clamping: bytes)))
  }

  /// Says to the peer that nothing more will come.
  package borrowing func shutdownSending() throws(Errno) {
    try Errno.check(linux_shutdown_sending(number))
  }

  /// Waits until the descriptor is ready for what is asked, or is broken; empty when time is up.
  ///
  /// A negative timeout waits for ever.
  package borrowing func waitReady(
    for interest: Readiness,
    timeoutMilliseconds: Int32
  ) throws(Errno) -> Readiness {
    let result = linux_wait_ready(number, interest.rawValue, timeoutMilliseconds)
    return Readiness(rawValue: UInt32(try Errno.check(result)))
  }

  /// The process at the other end of a Unix socket.
  package borrowing func peer() throws(Errno) -> PeerIdentity {
    var uid: UInt32 = 0
    var pid: Int32 = 0
    try Errno.check(linux_peer(number, &uid, &pid))
    return PeerIdentity(uid: uid, pid: pid)
  }
}
