// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

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
