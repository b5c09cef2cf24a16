// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A connected stream socket, close to the kernel.
///
/// The load has to cost less than the daemon, so nothing here allocates, waits or retries beyond
/// the needs of a single call: a full or an empty socket is an ordinary answer.
struct Socket: ~Copyable {
  /// The result of a read.
  enum Reading {
    case bytes(Int)
    case nothing
    case ended
  }

  let number: Int32

  /// Takes over a descriptor that `accept` or `socket` returned.
  init(owning number: Int32) {
    self.number = number
  }

  /// Connects to the socket file at `path`.
  init(connectingTo path: String) throws(BenchFailure) {
    let number = socket(AF_UNIX, streamType, 0)
    guard number >= 0 else { throw .system("socket", errno) }
    let result = try withAddress(of: path) { address, length in connect(number, address, length) }
    guard result == 0 else {
      let code = errno
      _ = Glibc.close(number)
      throw .system("connect to \(path)", code)
    }
    self.init(owning: number)
  }

  /// Connects to a port of this machine.
  init(connectingToPort port: UInt16) throws(BenchFailure) {
    let number = socket(AF_INET, streamType, 0)
    guard number >= 0 else { throw .system("socket", errno) }
    guard withLoopback(port, { connect(number, $0, $1) }) == 0 else {
      let code = errno
      _ = Glibc.close(number)
      throw .system("connect to port \(port)", code)
    }
    self.init(owning: number)
  }

  deinit { _ = Glibc.close(number) }

  /// The descriptors of two sockets that are connected with each other.
  static func pair() throws(BenchFailure) -> (Int32, Int32) {
    var ends: [Int32] = [0, 0]
    guard socketpair(AF_UNIX, streamType, 0, &ends) == 0 else {
      throw .system("socketpair", errno)
    }
    return (ends[0], ends[1])
  }

  /// A port at which nobody serves at this moment.
  static func freePort() throws(BenchFailure) -> UInt16 {
    let socket = Socket(owning: Glibc.socket(AF_INET, streamType, 0))
    var found = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &found) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        withLoopback(0) { bind(socket.number, $0, $1) } == 0
          ? getsockname(socket.number, address, &length) : -1
      }
    }
    guard result == 0 else { throw .system("finding a port", errno) }
    return UInt16(bigEndian: found.sin_port)
  }

  /// Asks for a send buffer that holds all lines in flight.
  func enlargeSendBuffer(to bytes: Int32) {
    var size = bytes
    // The kernel caps the size without an error, which is good enough.
    _ = setsockopt(number, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Sends as much as fits, and returns the bytes; nil when nothing fits.
  func offer(_ bytes: UnsafeRawBufferPointer) throws(BenchFailure) -> Int? {
    while true {
      let sent = send(number, bytes.baseAddress, bytes.count, atOnce | noSignal)
      if sent >= 0 { return sent }
      switch errno {
      case EINTR: continue
      case EAGAIN: return nil
      default: throw .system("send", errno)
      }
    }
  }

  /// Sends everything, waiting for a slow other side.
  func deliver(_ bytes: UnsafeRawBufferPointer) throws(BenchFailure) {
    var rest = bytes
    while !rest.isEmpty {
      let sent = send(number, rest.baseAddress, rest.count, noSignal)
      if sent >= 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(sent))
      } else if errno != EINTR {
        throw .system("send", errno)
      }
    }
  }

  /// Sends a short text, such as a request, in full.
  func deliver(_ text: String) throws(BenchFailure) {
    let bytes = Array(text.utf8)
    try bytes.span.withUnsafeBytes { raw throws(BenchFailure) in try deliver(raw) }
  }

  /// Reads the bytes that have come.
  func receiveBytes(into space: UnsafeMutableRawBufferPointer) throws(BenchFailure) -> Reading {
    while true {
      let count = recv(number, space.baseAddress, space.count, atOnce)
      if count > 0 { return .bytes(count) }
      if count == 0 { return .ended }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .nothing
      case ECONNRESET: return .ended
      default: throw .system("recv", errno)
      }
    }
  }
}

/// A socket file that clients connect to.
struct Listener: ~Copyable {
  let number: Int32

  init(at path: String) throws(BenchFailure) {
    let number = socket(AF_UNIX, streamType, 0)
    guard number >= 0 else { throw .system("socket", errno) }
    let result = try withAddress(of: path) { address, length in bind(number, address, length) }
    guard result == 0, listen(number, SOMAXCONN) == 0 else {
      let code = errno
      _ = Glibc.close(number)
      throw .system("listen at \(path)", code)
    }
    self.number = number
  }

  deinit { _ = Glibc.close(number) }

  /// The next client; nil when it went away before it was served.
  func accept() -> Socket? {
    let client = Glibc.accept(number, nil, nil)
    return client >= 0 ? Socket(owning: client) : nil
  }
}

private let streamType = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
private let atOnce = Int32(MSG_DONTWAIT)
private let noSignal = Int32(MSG_NOSIGNAL)

private func withAddress(
  of path: String,
  _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
) throws(BenchFailure) -> Int32 {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  let fits = withUnsafeMutableBytes(of: &address.sun_path) { space in
    guard path.utf8.count < space.count else { return false }
    space.copyBytes(from: path.utf8)
    return true
  }
  guard fits else { throw BenchFailure("the path \(path) is too long for a socket") }
  let length = socklen_t(MemoryLayout<sockaddr_un>.size)
  return withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
  }
}

private func withLoopback(
  _ port: UInt16,
  _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
) -> Int32 {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  return withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
}
