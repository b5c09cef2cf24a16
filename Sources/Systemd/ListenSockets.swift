// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
import CSystemd
import Glibc

/// The sockets that the service manager has opened for us.
package enum ListenSockets {
  /// Takes the sockets over, once: the environment that announces them is cleared.
  ///
  /// They come in the manager's order; without a manager there are none. Each is checked, so that a
  /// unit with `ListenDatagram=` or `Accept=yes` fails at the start and not at the first client. A
  /// socket of the name `tcpName` may listen to TCP, all others are Unix sockets.
  package static func take(tcpName: String? = nil) throws(Fault) -> [ListenSocket] {
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = sd_listen_fds_with_names(1, &names)
    guard count >= 0 else { throw .unreadable(Errno(rawValue: 0 - count)) }
    defer { release(names, count: Int(count)) }

    var sockets: [ListenSocket] = []
    for index in 0..<Int(count) {
      let name = names.flatMap { $0[index] }.map { String(cString: $0) } ?? ""
      let number = firstNumber + Int32(index)
      let family = name == tcpName ? AF_UNSPEC : AF_UNIX
      guard sd_is_socket(number, family, streamType, 1) > 0 else {
        throw .notListening(name: name)
      }
      sockets.append(ListenSocket(name: name, number: number))
    }
    return sockets
  }

  /// The manager hands over 3, 4, 5 and so on; this is SD_LISTEN_FDS_START.
  private static let firstNumber: Int32 = 3
  private static let streamType = Int32(SOCK_STREAM.rawValue)

  private static func release(
    _ names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
    count: Int
  ) {
    guard let names else { return }
    for index in 0..<count { free(names[index]) }
    free(names)
  }
}

extension ListenSockets {
  /// Why the sockets cannot be used.
  package enum Fault: Error, Hashable, CustomStringConvertible {
    case unreadable(Errno)
    case notListening(name: String)

    package var description: String {
      switch self {
      case .unreadable(let error):
        "inherited sockets cannot be taken over: \(error)"
      case .notListening(let name):
        "inherited socket \"\(name)\" is no listening Unix stream socket"
      }
    }
  }
}

/// A listening socket, by the name that its unit gives it (`FileDescriptorName=`).
package struct ListenSocket: Hashable, Sendable {
  package let name: String
  /// Open and without an owner: to be adopted once.
  package let number: Int32
}
