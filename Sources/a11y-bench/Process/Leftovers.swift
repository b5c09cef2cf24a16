// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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
  }

  private static let things = Mutex(Things())

  /// Makes the directory of this run, in $TMPDIR, else on a disk, where logs belong.
  static func makeDirectory() throws(BenchFailure) -> String {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/var/tmp"
    var template = Array((parent + "/a11y-bench.XXXXXX").utf8CString)
    let made = things.withLock { things in
      guard mkdtemp(&template) != nil else { return false }
      things.directory = path(from: template)
      return true
    }
    guard made else { throw .system("mkdtemp in \(parent)", errno) }
    return path(from: template)
  }

  /// Starts a process with `spawn`, and registers it.
  static func start(_ spawn: () -> pid_t?) -> pid_t? {
    things.withLock { things in
      guard let process = spawn() else { return nil }
      things.processes.append(process)
      return process
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
  static func end(_ process: pid_t) {
    things.withLock { things in
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
      things.processes.removeAll { $0 == process }
    }
  }

  /// Mounts at `path` with `mount`, registers that, and returns the errno of `mount`, or 0.
  static func mount(at path: String, _ mount: () -> Int32) -> Int32 {
    things.withLock { things in
      let result = mount()
      if result == 0 { things.mounts.append(path) }
      return result
    }
  }

  /// Unmounts the file system at `path`.
  static func unmount(_ path: String) {
    things.withLock { things in
      umount2(path, Int32(MNT_DETACH))
      things.mounts.removeAll { $0 == path }
    }
  }

  /// Ends every process and removes the directory.
  static func clear() {
    things.withLock { things in clear(&things) }
  }

  /// Clears and ends the program.
  ///
  /// The lock is never released, so the main thread can neither start anything nor complain that
  /// its daemon has gone.
  fileprivate static func clearAndExit(_ code: Int32) -> Never {
    things.withLock { things in
      clear(&things)
      _exit(code)
    }
  }

  private static func clear(_ things: inout Things) {
    for process in things.processes {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    things.processes = []
    // Mounts go first, so that the removal below does not walk through them.
    for path in things.mounts { umount2(path, Int32(MNT_DETACH)) }
    things.mounts = []
    if let directory = things.directory { Files.remove(directory) }
    things.directory = nil
  }

  /// From now on a signal that asks for the end clears first.
  static func clearOnSignals() {
    var signals = endingSignals()
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    var thread = pthread_t()
    pthread_create(&thread, nil, awaitSignal, nil)
  }

  /// The signals that are blocked here and must not be in a child.
  static func endingSignals() -> sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
    return signals
  }

  private static func path(from template: [CChar]) -> String {
    String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

@c private func awaitSignal(_: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  var signals = Leftovers.endingSignals()
  var signal: Int32 = 0
  sigwait(&signals, &signal)
  Leftovers.clearAndExit(128 + signal)
}
