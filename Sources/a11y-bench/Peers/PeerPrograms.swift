// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The programs of the peers: servers that Debian installs, and the loads that `make bench` builds.
enum PeerPrograms {
  /// The path of a load or of another program that `make bench` builds, in a directory beside this
  /// program.
  static func built(_ name: String) throws(BenchFailure) -> String {
    try neighbour("peers/" + name)
  }

  /// The path of something that lies in the same directory as this program.
  static func neighbour(_ name: String) throws(BenchFailure) -> String {
    var path = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let length = path.withUnsafeMutableBytes { raw in
      readlink("/proc/self/exe", raw.baseAddress!, raw.count)
    }
    guard length > 0, let slash = path[..<length].lastIndex(of: UInt8(ascii: "/")) else {
      throw BenchFailure("the directory of this program cannot be told")
    }
    return String(decoding: path[...slash], as: UTF8.self) + name
  }

  /// The path of a program on this machine.
  static func installed(_ name: String) -> String? {
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    // A user's path lacks the directories of the administrator, where some servers are.
    let places = path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/bin"]
    return places.map { $0 + "/" + name }.first { access($0, X_OK) == 0 }
  }

  /// The reason why a peer cannot be measured, if there is one.
  static func obstacle(to peer: Peer) throws(BenchFailure) -> String? {
    if let program = peer.program, installed(program) == nil {
      return "\(program) is not installed; make deps-bench installs it"
    }
    let needed = peer == .sealingRelay ? "sealing-relay" : peer.word.map { $0 + "-load" }
    if let needed, access(try built(needed), X_OK) != 0 {
      return "\(needed) was not built; make bench builds it"
    }
    return nil
  }
}
