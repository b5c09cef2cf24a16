// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import CSystemd

/// A registration with a connection: a match, a filter, an object, or a call under way.
///
/// It ends with this value; the connection may end before.
package final class DBusSlot {
  /// Answers whether the message has been dealt with.
  private let onMessage: (DBusMessage) -> Bool
  private var handle: OpaquePointer?

  init(
    _ onMessage: @escaping (DBusMessage) -> Bool,
    register: (
      UnsafeMutablePointer<OpaquePointer?>, @escaping sd_bus_message_handler_t,
      UnsafeMutableRawPointer
    ) -> Int32
  ) throws(Errno) {
    self.onMessage = onMessage
    let context = Unmanaged.passUnretained(self).toOpaque()
    try Errno.check(register(&handle, messageHasCome, context))
  }

  deinit { if let handle { sd_bus_slot_unref(handle) } }

  fileprivate func receive(_ message: DBusMessage) -> Bool { onMessage(message) }
}

@c private func messageHasCome(
  _ message: OpaquePointer?,
  _ context: UnsafeMutableRawPointer?,
  _ error: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
  guard let message, let context else { return 0 }
  let slot = Unmanaged<DBusSlot>.fromOpaque(context).takeUnretainedValue()
  return withExtendedLifetime(slot) { slot.receive(DBusMessage(message)) ? 1 : 0 }
}
