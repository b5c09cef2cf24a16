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

/// A listening Unix socket, made at a path or inherited from who started us.
///
/// A file left by a process that died refuses connections: it is replaced. One that accepts them
/// belongs to somebody, and binding there fails with `addressInUse`. Between the look and the
/// replacement two starting daemons could remove each other's fresh socket, therefore both happen
/// under a lock on the directory. The file is removed at the end only if we made it and it is still
/// the one we made; an inherited socket is never unlinked, since its owner keeps it for the next
/// start.
package final class UnixListener {
  package let descriptor: FileDescriptor
  /// The path at which it listens; nil for a socket that has none.
  package let path: String?
  private var made: FileIdentity?

  /// Listens at `path`, in a directory that is created for us alone where it is missing.
  package init(path: String, mode: UInt32, backlog: Int32 = 4096) throws(Errno) {
    let directory = Directory.parent(of: path)
    try Directory.createLast(directory, mode: 0o700)
    let lock = try FileDescriptor.open(directory, [.readOnly, .directory])
    try Errno.check(linux_lock(lock.number, 1))
    try UnixListener.clearStale(path)

    let listening = FileDescriptor(adopting: try Errno.check(linux_listen(path, mode, backlog)))
    descriptor = listening
    self.path = path
    made = try? FileIdentity(path: path)
  }

  /// Takes over a socket that already listens, which may be one of TCP, too.
  package init(adopting inherited: consuming FileDescriptor) throws(Errno) {
    try Errno.check(linux_set_nonblocking(inherited.number))
    var name = [CChar](repeating: 0, count: 109)
    let result = name.withUnsafeMutableBufferPointer { room in
      room.baseAddress.map { linux_socket_path(inherited.number, $0) } ?? -1
    }
    descriptor = inherited
    path = result == 0 && name[0] != 0 ? name.withUnsafeBufferPointer(Self.text) : nil
    made = nil
  }

  private static func text(_ name: UnsafeBufferPointer<CChar>) -> String {
    String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { withdraw() }

  /// Removes the file if it is ours; whoever is connected or waits in the backlog stays.
  package func withdraw() {
    guard let path, let made = made.take() else { return }
    guard let found = try? FileIdentity(path: path), found == made else { return }
    _ = linux_unlink(path)
  }

  /// Takes one waiting connection, non-blocking and close-on-exec.
  package func accept() -> Accepted {
    let result = linux_accept(descriptor.number)
    guard result < 0 else { return .connection(FileDescriptor(adopting: result)) }
    let error = Errno(rawValue: 0 - result)
    switch error {
    case .wouldBlock: return .none
    case .tooManyOpenFiles, .fileTableOverflow, .noBufferSpace, .noMemory:
      return .exhausted(error)
    default: return .failed(error)
    }
  }

  private static func clearStale(_ path: String) throws(Errno) {
    var status = linux_status()
    let looked = linux_status_of(path, &status)
    guard looked != 0 - Errno.noSuchFile.rawValue else { return }
    try Errno.check(looked)
    // connect(2) refuses a regular file too, and that one is not ours to remove.
    guard status.is_socket != 0 else { throw .fileExists }

    // Without waiting: a full backlog also shows that somebody is there.
    let probe = linux_connect(path, 1)
    if probe >= 0 { linux_close(probe) }
    guard probe == 0 - Errno.connectionRefused.rawValue else { throw .addressInUse }
    try Errno.check(linux_unlink(path))
  }
}

extension UnixListener {
  /// The outcome of looking for a connection.
  package enum Accepted: ~Copyable {
    case connection(FileDescriptor)
    case none
    /// Descriptors or memory are used up; the connection still waits, so pause before asking again.
    case exhausted(Errno)
    case failed(Errno)
  }
}

/// Sends datagrams to a service such as the journal or the service manager, and never waits.
///
/// There is no connection: the service is found by its path each time, so that one which was
/// started anew is reached without further ado.
package struct UnixDatagram: ~Copyable {
  private let descriptor: FileDescriptor
  private let path: String

  /// A path that begins with "@" is in the abstract name space.
  package init(to path: String) throws(Errno) {
    descriptor = FileDescriptor(adopting: try Errno.check(linux_datagram()))
    self.path = path
  }

  /// Sends one datagram; a service whose queue is full throws `wouldBlock`.
  package borrowing func send(_ bytes: Span<UInt8>) throws(Errno) {
    let number = descriptor.number
    let sent = bytes.withUnsafeBytes { linux_send_to(number, path, $0.baseAddress, $0.count) }
    _ = try Errno.check(sent)
  }

  package borrowing func send(_ text: String) throws(Errno) {
    let bytes = Array(text.utf8)
    try send(bytes.span)
  }
}

/// The process that opened the other end of a Unix socket, as the kernel noted it on connecting.
///
/// The user cannot be forged. The process may have ended since and its number be in use again.
package struct PeerIdentity: Hashable, Sendable {
  package let uid: UInt32
  package let pid: Int32

  package init(uid: UInt32, pid: Int32) {
    self.uid = uid
    self.pid = pid
  }
}

/// A TCP port of this machine that no other machine reaches: 127.0.0.1:9464 or [::1]:9464.
///
/// Names such as localhost are none: they mean what a file or a server says.
package struct LoopbackAddress: Equatable, Sendable {
  private let host: String
  private let port: UInt16

  /// Reads an address as it is written; nil for all that others could reach, or that is no address.
  package init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":") else { return nil }
    let (host, port) = (text[..<colon], text[text.index(after: colon)...])
    guard port.utf8.allSatisfy(Self.isDigit), let number = UInt16(port), number > 0 else {
      return nil
    }
    guard host == "[::1]" || Self.isLoopback(host) else { return nil }
    self.host = host == "[::1]" ? "::1" : String(host)
    self.port = number
  }

  /// Whether this is an IPv4 address of the network 127.
  private static func isLoopback(_ host: Substring) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127"
      && parts.allSatisfy { part in
        // A leading zero would mean octal to some.
        part.utf8.allSatisfy(isDigit) && UInt8(part).map { String($0) == part } == true
      }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }

  /// Listens there, for connections that `UnixListener` accepts like any others.
  package func listen() throws(Errno) -> FileDescriptor {
    var port = port
    return FileDescriptor(
      adopting: try Errno.check(linux_listen_loopback(host, &port, Self.backlog))
    )
  }

  /// Listens on the loopback of IPv4 at a port of the kernel's choice.
  ///
  /// Every user of the machine can connect to it, so its owner asks for something that others do
  /// not know.
  package static func listenAtFreePort() throws(Errno) -> (UnixListener, LoopbackAddress) {
    let host = "127.0.0.1"
    var port: UInt16 = 0
    let descriptor = FileDescriptor(
      adopting: try Errno.check(linux_listen_loopback(host, &port, backlog))
    )
    return (try UnixListener(adopting: descriptor), LoopbackAddress(host: host, port: port))
  }

  private init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  private static let backlog: Int32 = 128
}

extension LoopbackAddress: CustomStringConvertible {
  package var description: String { host == "::1" ? "[::1]:\(port)" : "\(host):\(port)" }
}
