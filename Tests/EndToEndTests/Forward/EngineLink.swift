// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Foundation
import Synchronization

/// A link to a server on this machine that can be cut and mended.
final class EngineLink: Sendable {
  private struct State {
    var isCut = false
    var ends: [Int32] = []
  }

  let port: Int
  private let target: Int
  private let listener: Int32
  private let state = Mutex(State())

  init(to target: Int) throws {
    self.target = target
    let (listener, port) = try EngineSocket.listen()
    (self.listener, self.port) = (listener, port)
    Thread.detachNewThread { [weak self] in
      while true {
        let near = accept(listener, nil, nil)
        guard near >= 0, let self else { return }
        connect(near)
      }
    }
  }

  deinit {
    cut()
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  /// Ends all connections, and each new one as soon as it comes.
  func cut() {
    state.withLock { state in
      state.isCut = true
      for end in state.ends { shutdown(end, Int32(SHUT_RDWR)) }
      state.ends = []
    }
  }

  func mend() { state.withLock { $0.isCut = false } }

  private static func address(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return address
  }

  private func connect(_ near: Int32) {
    let far = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = Self.address(target)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        Foundation.connect(far, address, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    let isOpen =
      result == 0
      && state.withLock { state in
        if !state.isCut { state.ends += [near, far] }
        return !state.isCut
      }
    guard isOpen else {
      close(near)
      close(far)
      return
    }
    // The second direction to end closes both, so that no number is used again before.
    let left = Counter()
    for (from, to) in [(near, far), (far, near)] {
      Thread.detachNewThread { [weak self] in
        Self.copy(from, to)
        guard left.isLast() else { return }
        self?.state.withLock { state in state.ends.removeAll { $0 == from || $0 == to } }
        close(from)
        close(to)
      }
    }
  }

  private final class Counter: Sendable {
    private let count = Atomic<Int>(2)

    func isLast() -> Bool { count.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 }
  }

  private static func copy(_ from: Int32, _ to: Int32) {
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(from, &piece, piece.count, 0)
      guard count > 0 else { break }
      var sent = 0
      while sent < count {
        let result = piece.withUnsafeBytes { bytes in
          send(to, bytes.baseAddress! + sent, count - sent, Int32(MSG_NOSIGNAL))
        }
        guard result > 0 else { break }
        sent += result
      }
      guard sent == count else { break }
    }
    shutdown(from, Int32(SHUT_RDWR))
    shutdown(to, Int32(SHUT_RDWR))
  }
}
