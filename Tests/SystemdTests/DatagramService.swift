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
