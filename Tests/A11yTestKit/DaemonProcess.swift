// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yPosix
package import Foundation

/// One run of a built program, `a11yd` if no other is named, from its start to its end.
///
/// It is started with exactly the descriptors and variables that are given, so that nothing of the
/// tests leaks into it. Its standard output and error are read as one.
package final class DaemonProcess {
  package let number: pid_t
  private let output: FileDescriptor
  private var heard: [UInt8] = []
  private var status: Int32?

  /// How a process ended.
  package enum End: Equatable {
    case exited(Int32)
    case killed(Int32)
  }

  package init(
    _ arguments: [String],
    of program: String = program,
    environment: [String: String] = [:],
    inherited: [Int32] = []
  ) throws {
    var ends: (Int32, Int32) = (-1, -1)
    let piped = withUnsafeMutableBytes(of: &ends) {
      pipe($0.assumingMemoryBound(to: Int32.self).baseAddress!)
    }
    guard piped == 0 else { throw POSIXError(.EMFILE) }
    _ = fcntl(ends.0, F_SETFD, FD_CLOEXEC)
    output = FileDescriptor(adopting: ends.0)
    // Away from the low numbers, where the descriptors will be put in their places.
    let speaking = Self.duplicate(ends.1)
    close(ends.1)
    let passed = inherited.map(Self.duplicate)
    defer { for number in [speaking] + passed { close(number) } }

    number = try Self.spawn([program] + arguments, environment, speaking, inherited: passed)
  }

  /// A process that does what Tests/OwnProcess has under this name.
  package convenience init(
    own deed: String...,
    environment: [String: String] = [:],
    inherited: [Int32] = []
  ) throws {
    try self.init(
      deed,
      of: Self.built("own-process"),
      environment: environment,
      inherited: inherited
    )
  }

  deinit { if status == nil { kill() } }

  /// Waits for what the process says: the first line that begins like this.
  package func line(beginning start: String) throws -> String {
    try line(of: "“\(start)…”") { $0.hasPrefix(start) }
  }

  /// Waits for what the process says: the first line in which this stands.
  package func line(
    containing words: String,
    within patience: Duration = .seconds(20)
  ) throws -> String {
    try line(of: "“…\(words)…”", until: Deadline(after: patience)) { $0.contains(words) }
  }

  /// Waits for the first line that is so.
  package func line(where isIt: (String) -> Bool) throws -> String {
    try line(of: "a line", where: isIt)
  }

  private func line(
    of description: String,
    until deadline: Deadline = .usual,
    where isIt: (String) -> Bool
  ) throws -> String {
    while true {
      if let line = lines.first(where: isIt) { return line }
      guard try listen(until: deadline) else {
        throw Missing("\(description); it ended with \(try end()) and said: \(said)")
      }
    }
  }

  /// Waits until the process has ended by itself.
  package func end() throws -> End {
    if status == nil {
      let deadline = Deadline.usual
      while try listen(until: deadline) {}
      reap()
    }
    let status = status ?? 0
    return status & 0x7f == 0 ? .exited(status >> 8 & 0xff) : .killed(status & 0x7f)
  }

  package func send(_ signal: Int32) { Foundation.kill(number, signal) }

  /// Ends it as a power cut would, as far as the process is concerned.
  package func kill() {
    send(SIGKILL)
    reap()
  }

  /// All that it has said until now.
  package var said: String {
    let now = Deadline(after: .zero)
    while (try? listen(until: now)) == true {}
    return String(decoding: heard, as: UTF8.self)
  }
}

extension DaemonProcess {
  /// The daemon that `A11Y_DAEMON` names, else the one that was built with the tests.
  package static let program =
    ProcessInfo.processInfo.environment["A11Y_DAEMON"] ?? built("a11yd")

  /// A program that was built with the tests.
  package static func built(_ name: String) -> String {
    URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: name).path
  }

  private var lines: [String] {
    // The last piece has no end yet.
    said.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// Takes what it says; false once it can say nothing more.
  private func listen(until deadline: Deadline) throws -> Bool {
    let ready = try output.waitReady(
      for: .readable,
      timeoutMilliseconds: deadline.millisecondsLeft
    )
    if ready.isEmpty {
      throw Missing("the daemon's words or end; it said: \(String(decoding: heard, as: UTF8.self))")
    }
    var piece = [UInt8](repeating: 0, count: 65_536)
    let count = try piece.withUnsafeMutableBytes { try output.read(into: $0) }
    heard += piece[..<count]
    return count > 0
  }

  private func reap() {
    var status: Int32 = 0
    while waitpid(number, &status, 0) < 0 && errno == EINTR {}
    self.status = status
  }

  private static var openDescriptors: [Int] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    return (names ?? []).compactMap { Int($0) }
  }

  private static func duplicate(_ number: Int32) -> Int32 { fcntl(number, F_DUPFD_CLOEXEC, 100) }

  private static func spawn(
    _ words: [String],
    _ environment: [String: String],
    _ output: Int32,
    inherited: [Int32]
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, output, 2)
    for (place, number) in inherited.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, number, 3 + Int32(place))
    }
    // Descriptors that others have opened and children inherit would keep pipes from ending.
    for number in openDescriptors where number >= 3 + inherited.count {
      posix_spawn_file_actions_addclose(&actions, Int32(number))
    }

    // A daemon that is handed sockets must find its own number in LISTEN_PID, hence the shell.
    let shell = ["/bin/sh", "-c", #"LISTEN_PID=$$ exec "$@""#, "sh"]
    let usual = ["PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no"]
    let variables = usual.merging(environment) { $1 }.map { "\($0)=\($1)" }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

    var number: pid_t = 0
    let result = withStrings((inherited.isEmpty ? [] : shell) + words) { words in
      withStrings(variables) { variables in
        posix_spawn(&number, words[0]!, &actions, &attributes, words, variables)
      }
    }
    guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: result) ?? .EIO) }
    return number
  }

  private static func withStrings<R>(
    _ strings: [String],
    _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> R
  ) -> R {
    var pointers = strings.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
  }
}
