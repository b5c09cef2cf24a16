// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import Glibc

/// A program whose words are read here.
final class PipedProgram {
  let process: ChildProcess
  /// The end of the pipe into which it speaks.
  let words: FileDescriptor

  /// Starts it; `streams` says which of its streams lead into the pipe.
  init(
    _ command: [String],
    environment: [String]? = nil,
    hasGroup: Bool = true,
    _ streams: (_ pipe: Int32) -> ChildProcess.Streams
  ) throws(Errno) {
    var ends: [Int32] = [-1, -1]
    try Errno.check(pipe(&ends))
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    words = FileDescriptor(adopting: ends[0])
    // Ours is closed behind the start, so that the pipe ends with the program.
    let other = FileDescriptor(adopting: ends[1])
    process = try ChildProcess(
      command,
      environment: environment,
      streams(other.number),
      hasGroup: hasGroup
    )
    _ = consume other
  }
}

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
    let deadline = Deadline(after: patience)
    let started = try? PipedProgram([program] + arguments, hasGroup: false) { pipe in
      ChildProcess.Streams(output: pipe, errors: pipe)
    }
    guard let started else { return nil }
    guard let said = text(from: started.words, within: deadline) else {
      started.process.killGroup()
      return nil
    }
    while started.process.isRunning, !deadline.hasPassed { poll(nil, 0, pause) }
    guard let status = started.process.code else {
      started.process.killGroup()
      return nil
    }
    return Answer(status: status, output: said)
  }

  /// All that comes until the end of the output; nil where time is up before.
  private static func text(
    from output: borrowing FileDescriptor,
    within deadline: Deadline
  ) -> String? {
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4_096)
    while true {
      guard !deadline.hasPassed,
        let ready = try? output.waitReady(
          for: .readable,
          timeoutMilliseconds: deadline.remaining
        ),
        !ready.isEmpty,
        let count = try? piece.withUnsafeMutableBytes({ try output.read(into: $0) })
      else { return nil }
      guard count > 0 else { return String(decoding: text, as: UTF8.self) }
      if text.count < room { text += piece[..<count] }
    }
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

  /// The path that a program of ours has where it stands beside this one.
  static func beside(_ name: String) -> String? {
    ofThisProcess.flatMap { path in
      path.lastIndex(of: "/").map { "\(path[...$0])\(name)" }
    }
  }
}
