// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// How the process takes signals.
package enum Signals {
  /// Turns a write to a vanished reader into the error EPIPE instead of the end of the process.
  package static func ignoreBrokenPipe() {
    linux_ignore_broken_pipe()
  }

  /// Asks another process to read its configuration again.
  package static func hangUp(_ process: Int32) throws(Errno) {
    try Errno.check(linux_hang_up(process))
  }

  /// Ignores what is meant for other kinds of programs and would end this one: the signals of
  /// users, timers, input and power; and turns a write beyond the process's file-size limit into
  /// the error EFBIG.
  package static func ignoreStraySignals() { linux_ignore_stray_signals() }

  /// Keeps a request to read the configuration again until the loop runs, which then answers it.
  ///
  /// Without this, a reload that comes during a long start would end the process.
  package static func holdHangUp() { linux_hold_hang_up() }

  /// Lets signals of crashes end the process, as they do without the Swift runtime's handlers.
  ///
  /// Those start a program that prints a backtrace, and wait for it. A service whose watchdog has
  /// run out must be gone at once, so that the next one can begin.
  package static func crashAtOnce() {
    linux_crash_at_once()
  }
}

/// Signals that come as bytes at a descriptor, and from now on do nothing else.
package final class AwaitedSignals {
  /// A signal that may be awaited.
  package enum Signal: CaseIterable, Sendable {
    case hangUp, interrupt, terminate, child

    package var number: Int32 {
      switch self {
      case .hangUp: SIGHUP
      case .interrupt: SIGINT
      case .terminate: SIGTERM
      case .child: SIGCHLD
      }
    }
  }

  /// Readable when a signal has come.
  package let descriptor: FileDescriptor

  package init(_ signals: [Signal]) throws(Errno) {
    let numbers = signals.map(\.number)
    descriptor = FileDescriptor(adopting: try Errno.check(linux_signals(numbers, numbers.count)))
  }

  /// The next signal that has come; nil where there is none.
  package func nextSignal() -> Signal? {
    let number = linux_next_signal(descriptor.number)
    return Signal.allCases.first { $0.number == number }
  }
}
