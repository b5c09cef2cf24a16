// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Glibc

/// The things that the doctor can find out about the machine, so that tests can give others.
struct MachineFacts {
  var environment: (_ name: String) -> String? = Environment.value
  var isThere: (_ path: String) -> Bool = { access($0, F_OK) == 0 }
  var isInstalled: (_ program: String) -> Bool = OtherProgram.isInstalled
  var units = UnitManager()
  /// Runs a program; nil where it cannot be started or has not ended in time.
  var answer: (_ program: String, _ arguments: [String]) -> OtherProgram.Answer? = {
    OtherProgram.answer($0, $1, within: .seconds(10))
  }
  /// Says lines to a socket, and returns its words until it hangs up; nil where nobody answers.
  var talk: (_ path: String, _ lines: String) -> String? = Self.talk
  /// The free bytes of the file system of a directory.
  var room: (_ path: String) -> Int64? = Self.room
  /// Microseconds since 1970.
  var now: () -> Int64 = SystemClock.wallMicroseconds

  /// The directory of the session's sockets.
  var runtime: String? { environment("XDG_RUNTIME_DIR").flatMap { $0.hasPrefix("/") ? $0 : nil } }

  /// The command that installs a package, on machines of this kind.
  func installing(_ package: String) -> String? {
    isInstalled("apt-get") ? "sudo apt-get install \(package)" : nil
  }

  // MARK: This machine

  /// A voice that works answers within milliseconds.
  private static let patience: Int32 = 2_000

  private static func talk(_ path: String, _ lines: String) -> String? {
    guard let socket = try? UnixStream.connect(path: path) else { return nil }
    guard case .sent = socket.send(Array(lines.utf8).span) else { return nil }
    var heard: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4_096)
    while heard.count < 65_536 {
      guard
        let ready = try? socket.waitReady(for: .readable, timeoutMilliseconds: patience),
        !ready.isEmpty
      else { return nil }
      switch piece.withUnsafeMutableBytes({ socket.receive(into: $0) }) {
      case .bytes(let count): heard += piece[..<count]
      case .wouldBlock: continue
      case .ended, .failed: return String(decoding: heard, as: UTF8.self)
      }
    }
    return String(decoding: heard, as: UTF8.self)
  }

  private static func room(_ path: String) -> Int64? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    let (bytes, overflow) = Int64(clamping: status.f_bavail)
      .multipliedReportingOverflow(by: Int64(clamping: status.f_frsize))
    return overflow ? .max : bytes
  }
}
