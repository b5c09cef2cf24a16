// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux

/// The calls that a descriptor is ready for, or that somebody waits to make.
///
/// One type serves both, as it does in the kernel, with the same bits for poll(2), epoll(7) and
/// sd-event. `hangUp` and `error` are reported whether asked for or not.
package struct Readiness: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  package static let readable = Readiness(rawValue: LINUX_READABLE.rawValue)
  package static let writable = Readiness(rawValue: LINUX_WRITABLE.rawValue)
  package static let error = Readiness(rawValue: LINUX_ERROR.rawValue)
  /// The states in which reading is worth a try.
  package static let input = Readiness(
    rawValue: LINUX_READABLE.rawValue | LINUX_HANG_UP.rawValue | LINUX_ERROR.rawValue
  )
  /// Both directions are closed.
  package static let hangUp = Readiness(rawValue: LINUX_HANG_UP.rawValue)
  /// The peer sends no more; it may still read.
  package static let peerClosed = Readiness(rawValue: LINUX_PEER_CLOSED.rawValue)
}
