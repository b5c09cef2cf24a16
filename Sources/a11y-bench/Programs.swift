// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Glibc
import Synchronization

/// The files, processes and mounts to remove when the benchmark ends, however it ends.
///
/// Logs of a million entries and stray daemons are a poor souvenir, so each is registered here
/// before it exists. A thread of its own waits for the signals that end a program: it can use locks
/// and files, which a signal handler cannot.
enum Leftovers {
  private struct Things {
    var directory: String?
    var processes: [pid_t] = []
    var mounts: [String] = []

    mutating func clear() {
      for process in processes { end(process) }
      // Mounts go first, so that the removal below does not walk through them.
      for path in mounts { umount2(path, Int32(MNT_DETACH)) }
      mounts = []
      if let directory { remove(directory) }
      directory = nil
    }

    mutating func end(_ process: pid_t) {
      Processes.signal(.kill, to: process)
      waitpid(process, nil, 0)
      processes.removeAll { $0 == process }
    }
  }

  private static let things = Mutex(Things())

  /// Makes the directory of this run, in $TMPDIR, else on a disk, where logs belong.
  static func makeDirectory() throws -> String {
    let parent = Environment.value("TMPDIR") ?? "/var/tmp"
    let path = "\(parent)/a11y-bench.\(Machine.randomHex128().prefix(6))"
    things.withLock { $0.directory = path }
    try failing("mkdir \(path)") { () throws(Errno) in try Directory.create(path, mode: 0o700) }
    return path
  }

  /// Starts a process, and registers it.
  static func start(
    _ words: [String],
    environment: [String],
    _ streams: ChildProcess.Streams
  ) throws -> pid_t {
    try things.withLock { things in
      do {
        let child = try ChildProcess(words, environment: environment, streams, hasGroup: false)
        things.processes.append(child.id)
        return child.id
      } catch {
        throw BenchFailure("starting \(words[0]): \(error)")
      }
    }
  }

  /// The wait status of a process, which is then forgotten; nil while it runs.
  static func reap(_ process: pid_t) -> Int32? {
    things.withLock { things in
      var status: Int32 = 0
      guard waitpid(process, &status, WNOHANG) == process else { return nil }
      things.processes.removeAll { $0 == process }
      return status
    }
  }

  /// Whether a process has not ended yet.
  static func isAlive(_ process: pid_t) -> Bool {
    var information = siginfo_t()
    let options = WEXITED | WNOHANG | WNOWAIT
    return waitid(P_PID, id_t(process), &information, options) == 0 && information.si_signo == 0
  }

  /// Kills a process and forgets it.
  static func end(_ process: pid_t) { things.withLock { $0.end(process) } }

  /// Mounts a file system in memory at `path`, and registers it.
  static func mountMemory(at path: String, bytes: Int) throws {
    let result = things.withLock { things in
      guard mount("tmpfs", path, "tmpfs", 0, "size=\(bytes),mode=0700") == 0 else { return errno }
      things.mounts.append(path)
      return 0
    }
    guard result == 0 else {
      throw BenchFailure("mounting a small file system: \(Errno(rawValue: result))")
    }
  }

  static func unmount(_ path: String) {
    things.withLock { things in
      umount2(path, Int32(MNT_DETACH))
      things.mounts.removeAll { $0 == path }
    }
  }

  /// Ends every process and removes the directory.
  static func clear() { things.withLock { $0.clear() } }

  /// From now on a signal that asks for the end clears first.
  static func clearOnSignals() {
    let signals = try? AwaitedSignals([.interrupt, .terminate, .hangUp])
    guard let signals else { return }
    var thread = pthread_t()
    pthread_create(&thread, nil, clearOnSignal, Unmanaged.passRetained(signals).toOpaque())
  }

  /// Clears and ends the program.
  ///
  /// The lock is never released, so the main thread can neither start anything nor complain that
  /// its daemon has gone.
  fileprivate static func clearAndExit(_ code: Int32) -> Never {
    things.withLock { things in
      things.clear()
      _exit(code)
    }
  }
}

@c private func clearOnSignal(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  let signals = Unmanaged<AwaitedSignals>.fromOpaque(context).takeRetainedValue()
  while true {
    _ = try? signals.descriptor.waitReady(for: .readable, timeoutMilliseconds: -1)
    if let signal = signals.nextSignal() { Leftovers.clearAndExit(128 + signal.number) }
  }
}

/// Removes a file, or a directory with all that it holds, and follows no link.
func remove(_ path: String) {
  if (try? File.unlink(path)) != nil { return }
  for name in (try? Directory.names(path)) ?? [] { remove(path + "/" + name) }
  rmdir(path)
}

/// The content of a small file, such as those under /proc; nil when it cannot be read.
func text(of path: String) -> String? {
  (try? File.read(path, limit: 1 << 20)).map { String(decoding: $0, as: UTF8.self) }
}

/// Writes a file in place of an older one.
func write(_ text: String, to path: String, mode: UInt32 = 0o600) throws {
  try failing("writing \(path)") { () throws(Errno) in
    let file = try FileDescriptor.open(path, [.writeOnly, .create, .truncate], mode: mode)
    let bytes = Array(text.utf8)
    try file.writeAll(bytes.span)
  }
}

/// A program that this one has started, with the end of what it says on standard error.
///
/// The caller waits for the ready line; after that a thread goes on reading, because a full pipe
/// would stop the program in the middle of a figure.
final class StartedProgram: Sendable {
  /// The last program, which is most likely the cause of a failing figure.
  private static let newest = Mutex<StartedProgram?>(nil)

  /// The last words of the last program.
  static var newestWords: String? { newest.withLock { $0 }?.lastWords }

  let process: pid_t
  private let name: String
  private let errors: Int32
  private let heard = Mutex<[UInt8]>([])
  private static let keptBytes = 4096

  /// Starts `words` with nothing of the caller's session around it.
  ///
  /// The environment is made anew, with `home` as the runtime directory, so that no socket,
  /// configuration or watchdog of another service reaches the daemon. `talk` becomes its standard
  /// input and output; else its output goes to the file `output`.
  init(
    _ words: [String],
    as name: String? = nil,
    home: String,
    output: String? = nil,
    talk: Int32 = -1
  ) throws {
    self.name = name ?? words[0]
    // A Swift runtime outside the usual places is found through these two.
    let kept = ["PATH", "LD_LIBRARY_PATH"].compactMap { name in
      Environment.value(name).map { "\(name)=\($0)" }
    }
    let environment = kept + ["HOME=\(home)", "XDG_RUNTIME_DIR=\(home)", "LANG=C.UTF-8"]
    let pipe = try UnixStream.pair()
    var streams = ChildProcess.Streams(input: talk, output: talk, errors: pipe.second.number)
    if let output {
      let file = try failing("open \(output)") { () throws(Errno) in
        try FileDescriptor.open(output, [.writeOnly, .create, .truncate])
      }
      streams.output = file.number
      process = try Leftovers.start(words, environment: environment, streams)
    } else {
      process = try Leftovers.start(words, environment: environment, streams)
    }
    errors = pipe.first.relinquish()
    _ = fcntl(errors, F_SETFL, 0)
    StartedProgram.newest.withLock { $0 = self }
  }

  deinit { close(errors) }

  /// The end of its words, for a message.
  var lastWords: String {
    "\(name) said last: " + heard.withLock { String(decoding: $0, as: UTF8.self) }
  }

  /// The last line, for a message of a load; empty where nothing was said.
  var lastLine: String {
    let lines = heard.withLock { $0.split(separator: 0x0A) }
    return lines.last.map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Waits for a line with these words, and then reads in the background; false when it does not
  /// come.
  func waitForLine(with words: String) -> Bool {
    let words = Array(words.utf8)
    var interest = pollfd(fd: errors, events: Int16(POLLIN), revents: 0)
    while Glibc.poll(&interest, 1, BenchConnection.patienceMilliseconds) > 0, listen() {
      let hasCome = heard.withLock { heard in
        heard.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast().contains {
          $0.contains(words)
        }
      }
      if hasCome {
        listenInBackground()
        return true
      }
    }
    return false
  }

  /// Reads to the end, and returns the wait status of the program.
  func waitUntilEnd() -> Int32 {
    while listen() {}
    return reap()
  }

  /// The wait status of the program, which ends soon.
  func reap() -> Int32 {
    while true {
      if let status = Leftovers.reap(process) { return status }
      Clock.sleep(milliseconds: 1)
    }
  }

  func listenInBackground() {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(self)
    guard pthread_create(&thread, nil, listenOn, context.toOpaque()) == 0 else {
      return context.release()
    }
    pthread_detach(thread)
  }

  /// Reads the next piece; false at the end.
  fileprivate func listen() -> Bool {
    var piece = [UInt8](repeating: 0, count: Self.keptBytes)
    let count = read(errors, &piece, piece.count)
    guard count > 0 else { return false }
    heard.withLock { heard in
      heard += piece[..<count]
      heard.removeFirst(max(0, heard.count - Self.keptBytes))
    }
    return true
  }

  /// Runs a program to its end, which must be a success, with its output in a file.
  static func run(_ words: [String], home: Home, output: String) throws -> Cost {
    try Cost(processor: CPUTime.ofTheEnded) {
      let program = try StartedProgram(words, home: home.path, output: output)
      let status = program.waitUntilEnd()
      guard status == 0 else {
        throw BenchFailure("\(words[0]) \(words[1]) ended with wait status \(status)")
      }
    }
  }
}

@c private func listenOn(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  let program = Unmanaged<StartedProgram>.fromOpaque(context).takeRetainedValue()
  while program.listen() {}
  return nil
}
