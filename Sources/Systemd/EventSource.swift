// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import CSystemd

/// One registration with the loop, which ends with this value.
struct EventSource: ~Copyable {
  let handle: OpaquePointer

  init(_ handle: OpaquePointer?, priority: EventPriority) throws(Errno) {
    guard let handle else { throw .noMemory }
    let result = sd_event_source_set_priority(handle, priority.rawValue)
    if result < 0 { sd_event_source_disable_unref(handle) }
    try Errno.check(result)
    self.handle = handle
  }

  deinit { sd_event_source_disable_unref(handle) }

  borrowing func enable(_ mode: Mode) {
    acceptSetting(sd_event_source_set_enabled(handle, mode.rawValue))
  }

  /// How often an enabled source may call.
  enum Mode: Int32 {
    case off = 0
    case on = 1
    case oneShot = -1
  }
}

/// Accepts the answer of a setter that can fail only because the loop has already ended, when
/// nobody is called any more and the setting is of no consequence.
func acceptSetting(_ result: Int32) {
  precondition(result >= 0 || result == 0 - ESTALE, "a source takes a setting while its loop runs")
}
