// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import Glibc

/// Another program of the machine, run to its end.
enum OtherProgram {
  /// The end of a program, with the beginning of its output and its complaints together.
  struct Answer: Equatable {
    let status: Int32
    let output: String
  }

  /// The bytes of output that are kept: more than any answer that is looked at has.
  private static let room = 65_536
  /// The milliseconds between two looks at a program that has closed its output and goes on.
  private static let pause: Int32 = 10

  /// Runs a program by its path or, along `$PATH`, by its name; nil where it cannot be started or
  /// has not ended in time.
  static func answer(
    _ program: String,
    _ arguments: [String],
    within patience: Duration
  ) -> Answer? {
    let deadline = SystemClock.monotonicMicroseconds() + UInt64(patience.milliseconds) * 1_000
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let output = FileDescriptor(adopting: ends[0])
    let started = start(program, arguments, output: ends[1])
    close(ends[1])
    guard let process = started else { return nil }
    let said = text(from: output, until: deadline)
    guard let said, let status = status(of: process, until: deadline) else {
      kill(process, SIGKILL)
      var ignored: Int32 = 0
      waitpid(process, &ignored, 0)
      return nil
    }
    return Answer(status: status, output: said)
  }

  private static func start(_ program: String, _ arguments: [String], output: Int32) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, output, 2)
    // We ignore the signal of a broken pipe; others need not.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var usual = sigset_t()
    sigemptyset(&usual)
    sigaddset(&usual, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &usual)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))

    var words = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let result = posix_spawnp(&process, program, &actions, &attributes, &words, environ)
    return result == 0 ? process : nil
  }

  /// All that comes until the end of the output; nil where time is up before.
  private static func text(
    from output: borrowing FileDescriptor,
    until deadline: UInt64
  ) -> String? {
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4_096)
    while true {
      let now = SystemClock.monotonicMicroseconds()
      guard now < deadline else { return nil }
      let milliseconds = Int32(clamping: (deadline - now) / 1_000 + 1)
      guard
        let ready = try? output.waitReady(for: .readable, timeoutMilliseconds: milliseconds),
        !ready.isEmpty,
        let count = try? piece.withUnsafeMutableBytes({ try output.read(into: $0) })
      else { return nil }
      guard count > 0 else { return String(decoding: text, as: UTF8.self) }
      if text.count < room { text += piece[..<count] }
    }
  }

  private static func status(of process: pid_t, until deadline: UInt64) -> Int32? {
    while SystemClock.monotonicMicroseconds() < deadline {
      var status: Int32 = 0
      if waitpid(process, &status, WNOHANG) == process {
        let signal = status & 0x7f
        return signal == 0 ? status >> 8 & 0xff : 128 + signal
      }
      poll(nil, 0, pause)
    }
    return nil
  }

  /// Whether a program with this name is found along `$PATH`.
  static func isInstalled(_ name: String) -> Bool {
    let path = Environment.value("PATH") ?? "/usr/local/bin:/usr/bin:/bin"
    return path.split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
  }

  /// The path of this very program.
  static var ofThisProcess: String? {
    guard let path = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }
}
