// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Foundation

/// A real datagram socket in a directory of its own, as the manager and the journal have.
final class DatagramService {
  let path: String
  private let directory: String
  private let socket: FileDescriptor

  init() throws {
    directory = "/tmp/a11y-\(UUID().uuidString.prefix(13))"
    path = "\(directory)/socket"
    try Directory.create(directory, mode: 0o700)

    let number = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    guard number >= 0 else { throw Errno.current }
    socket = FileDescriptor(adopting: number)

    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard bound == 0 else { throw Errno.current }
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  /// Sends until the queue is full, by several senders since each has a limit of its own too.
  func fill() throws {
    for _ in 0..<16 {
      let sender = try UnixDatagram(to: path)
      while (try? sender.send("x")) != nil {}
    }
  }

  /// All that has come so far.
  func received() -> [String] {
    var texts: [String] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let got = buffer.withUnsafeMutableBytes { socket.receive(into: $0) }
      guard case .bytes(let count) = got else { return texts }
      texts.append(String(decoding: buffer[..<count], as: UTF8.self))
    }
  }
}

/// A pipe without room, whose reading end is the test's.
final class FullPipe {
  let writing: Int32
  private let reading: Int32

  init() throws {
    var ends: [Int32] = [0, 0]
    guard Glibc.pipe(&ends) == 0 else { throw Errno.current }
    (reading, writing) = (ends[0], ends[1])
    _ = fcntl(reading, F_SETFL, O_NONBLOCK)
    // The flag is on the description that the daemon would share with others, and goes again.
    _ = fcntl(writing, F_SETFL, O_NONBLOCK)
    while write(writing, "x", 1) == 1 {}
    _ = fcntl(writing, F_SETFL, 0)
  }

  deinit {
    close(reading)
    close(writing)
  }

  /// Takes all that is in it.
  @discardableResult
  func drain() -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(reading, &buffer, buffer.count)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
  }
}
