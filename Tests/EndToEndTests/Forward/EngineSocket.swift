// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Foundation
import Synchronization

/// A connection to a server on this machine, with a deadline on each answer.
final class EngineSocket {
  private let socket: FileDescriptor
  private var received: [UInt8] = []
  private var start = 0
  private var hasEnded = false

  init(port: Int) throws {
    let number = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let descriptor = FileDescriptor(adopting: number)
    var address = Self.address(port: port)
    let result = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        connect(number, address, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Missing("a server at port \(port)") }
    _ = fcntl(number, F_SETFL, O_NONBLOCK)
    socket = descriptor
  }

  /// The ports below those that the kernel gives to connections, which would take that of a server
  /// that is to be started again.
  private static let ports = 20_000...32_000

  /// The port that was given last: of tests that run side by side no two get the same, though a
  /// server takes its port only when it has started.
  private static let latest = Mutex(Int.random(in: ports))

  /// A port at which nobody listens.
  static func freePort() throws -> Int {
    for _ in 0..<ports.count {
      let port = latest.withLock { latest in
        latest = latest < ports.upperBound ? latest + 1 : ports.lowerBound
        return latest
      }
      let number = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(number) }
      let address = address(port: port)
      let result = withUnsafePointer(to: address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          bind(number, address, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      if result == 0 { return port }
    }
    throw Missing("a free port")
  }

  /// A socket that listens, and its port.
  static func listen() throws -> (number: Int32, port: Int) {
    let number = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = address(port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(number, address, length) | Foundation.listen(number, 64)
          | getsockname(number, address, &length)
      }
    }
    guard result == 0 else { throw Missing("a port to listen at") }
    return (number, Int(UInt16(bigEndian: address.sin_port)))
  }

  private static func address(port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return address
  }

  func send(_ text: String) throws {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let sent = bytes.withUnsafeBytes { socket.send($0) }
      guard case .sent(let count) = sent else { throw Missing("room for a request") }
      bytes = bytes.dropFirst(count)
    }
  }

  /// The next line, without its end.
  func line() throws -> String {
    while true {
      if let end = received[start...].firstIndex(of: 10) {
        defer { start = end + 1 }
        return String(decoding: received[start..<end - 1], as: UTF8.self)
      }
      try fill()
    }
  }

  /// The next bytes, and the end of the line behind them.
  func bytes(_ count: Int) throws -> String {
    while received.count - start < count + 2 { try fill() }
    defer { start += count + 2 }
    return String(decoding: received[start..<start + count], as: UTF8.self)
  }

  /// All that comes until the server closes.
  func untilEnd() throws -> String {
    while !hasEnded { try fill(mayEnd: true) }
    return String(decoding: received[start...], as: UTF8.self)
  }

  private func fill(mayEnd: Bool = false) throws {
    let wait = Deadline.usual.millisecondsLeft
    guard try !socket.waitReady(for: .readable, timeoutMilliseconds: wait).isEmpty else {
      throw Missing("an answer")
    }
    received.removeFirst(start)
    start = 0
    var piece = [UInt8](repeating: 0, count: 65_536)
    switch piece.withUnsafeMutableBytes({ socket.receive(into: $0) }) {
    case .bytes(let count): received += piece[..<count]
    case .wouldBlock: break
    case .ended where mayEnd: hasEnded = true
    case .ended, .failed: throw Missing("an answer; the server has closed")
    }
  }
}
