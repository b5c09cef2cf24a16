// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux

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
