// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A program that was just started.
struct Child {
  let process: pid_t
  /// The reading end of its standard error.
  let standardError: Int32

  /// Starts `program` with nothing of the caller's session around it.
  ///
  /// The environment is made anew, with `home` as the runtime directory, so that no socket,
  /// configuration or watchdog of another service reaches the daemon. `talk` becomes its standard
  /// input and output.
  static func start(
    _ program: String,
    _ arguments: [String],
    home: String,
    standardOutput: String = "/dev/null",
    talk: Int32? = nil
  ) throws(BenchFailure) -> Child {
    var pipeEnds: [Int32] = [0, 0]
    guard pipe(&pipeEnds) == 0 else { throw .system("pipe", errno) }
    defer { close(pipeEnds[1]) }
    for end in pipeEnds { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let talk {
      posix_spawn_file_actions_adddup2(&actions, talk, STDIN_FILENO)
      posix_spawn_file_actions_adddup2(&actions, talk, STDOUT_FILENO)
    } else {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_addopen(
        &actions,
        STDOUT_FILENO,
        standardOutput,
        O_WRONLY | O_CREAT | O_TRUNC,
        0o600
      )
    }
    posix_spawn_file_actions_adddup2(&actions, pipeEnds[1], STDERR_FILENO)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var noSignals = sigset_t()
    sigemptyset(&noSignals)
    posix_spawnattr_setsigmask(&attributes, &noSignals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

    var result: Int32 = 0
    let process = withCStrings([program] + arguments) { argv in
      withCStrings(environment(home: home)) { environ in
        Leftovers.start {
          var process = pid_t()
          result = posix_spawn(&process, program, &actions, &attributes, argv, environ)
          return result == 0 ? process : nil
        }
      }
    }
    guard let process else {
      close(pipeEnds[0])
      throw .system("starting \(program)", result)
    }
    return Child(process: process, standardError: pipeEnds[0])
  }

  private static func environment(home: String) -> [String] {
    // A Swift runtime outside the usual places is found through these two.
    let kept = ["PATH", "LD_LIBRARY_PATH"].compactMap { (name: String) in
      getenv(name).map { "\(name)=\(String(cString: $0))" }
    }
    return kept + ["HOME=\(home)", "XDG_RUNTIME_DIR=\(home)", "LANG=C.UTF-8"]
  }
}

/// Lends `strings` as the null-ended array that the exec family takes.
private func withCStrings<Result>(
  _ strings: [String],
  _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
  let copies = strings.map { strdup($0) }
  defer { for copy in copies { free(copy) } }
  return body(copies + [nil])
}
