// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
import CSystemd
package import Systemd

/// A connection to a D-Bus daemon, served by the loop; no call waits.
///
/// The connection ends once, and does not come back: its owner makes another.
package final class DBusConnection {
  private let handle: OpaquePointer
  private var filter: DBusSlot?
  private var ending: Timer?
  private var calls: [ObjectIdentifier: DBusSlot] = [:]

  /// Calls under way at a time, over which further ones fail.
  package static let mostCalls = 512
  /// The local message by which libsystemd tells of the end.
  private static let local = "org.freedesktop.DBus.Local"

  /// Begins to connect.
  ///
  /// - Parameters:
  ///   - address: The address of the daemon, as in `unix:path=/run/user/1000/bus`.
  ///   - isMonitor: Whether the connection is to become a monitor, which sends nothing.
  ///   - priority: The place among the sources of the loop.
  ///   - loop: The loop that serves it.
  ///   - onEnd: Told once, in a turn of its own, when the connection is lost or cannot be made.
  /// - Throws: The refusal of an address or of the kernel.
  package init(
    to address: String,
    isMonitor: Bool = false,
    priority: EventPriority = .normal,
    on loop: EventLoop,
    onEnd: @escaping () -> Void
  ) throws(Errno) {
    var made: OpaquePointer?
    try Errno.check(sd_bus_new(&made))
    guard let made else { throw .noMemory }
    handle = made
    // From here on a refusal leads through the end of this object.
    try Errno.check(sd_bus_set_address(handle, address))
    try Errno.check(sd_bus_set_bus_client(handle, 1))
    try Errno.check(sd_bus_set_monitor(handle, isMonitor ? 1 : 0))
    try Errno.check(sd_bus_start(handle))
    ending = try Timer(on: .monotonic, priority: .high, on: loop, onElapsed: onEnd)
    filter = try DBusSlot({ [unowned self] in watch($0) }) { slot, handler, context in
      sd_bus_add_filter(made, slot, handler, context)
    }
    try Errno.check(sd_bus_attach_event(handle, loop.handle, Int32(priority.rawValue)))
  }

  deinit {
    (calls, filter) = ([:], nil)
    // Flushing would wait for a daemon that hangs.
    sd_bus_close_unref(handle)
  }

  /// The name that the daemon has given to this connection, once it has.
  package var uniqueName: String? {
    var name: UnsafePointer<CChar>?
    // The call waits for the name where it is not there yet.
    guard sd_bus_is_ready(handle) > 0, sd_bus_get_unique_name(handle, &name) >= 0 else {
      return nil
    }
    return name.map { String(cString: $0) }
  }

  /// Messages that were read and are not served yet.
  package var waiting: UInt64 {
    var count: UInt64 = 0
    return sd_bus_get_n_queued_read(handle, &count) < 0 ? 0 : count
  }

  private func watch(_ message: DBusMessage) -> Bool {
    if message.interface == Self.local, message.member == "Disconnected" {
      ending?.arm(afterMicroseconds: 0)
    }
    return false
  }

  // MARK: Listening

  /// Has every message come first, and to nobody else if the answer is true.
  package func filter(_ onMessage: @escaping (DBusMessage) -> Bool) throws(Errno) -> DBusSlot {
    try DBusSlot(onMessage) { slot, handler, context in
      sd_bus_add_filter(handle, slot, handler, context)
    }
  }

  /// Has the daemon send what a match rule names.
  ///
  /// A daemon that refuses the rule ends the connection.
  package func listen(
    _ match: DBusMatch,
    _ onMessage: @escaping (DBusMessage) -> Void
  ) throws(Errno) -> DBusSlot {
    let serve: (DBusMessage) -> Bool = { message in
      onMessage(message)
      return false
    }
    return try DBusSlot(serve) { slot, handler, context in
      sd_bus_add_match_async(handle, slot, match.rule, handler, nil, context)
    }
  }

  // MARK: Asking

  /// Calls a method; the answer is a reply or an error, which stands for the deadline too.
  ///
  /// - Returns: False where the call cannot be sent, or too many are under way.
  @discardableResult
  package func call(
    _ method: DBusMethod,
    _ values: [DBusValue] = [],
    deadlineMicroseconds: UInt64,
    onAnswer: @escaping (DBusMessage) -> Void
  ) -> Bool {
    guard calls.count < Self.mostCalls else { return false }
    do throws(Errno) {
      var made: OpaquePointer?
      let result = sd_bus_message_new_method_call(
        handle,
        &made,
        method.destination,
        method.path,
        method.interface,
        method.member
      )
      let draft = try DBusDraft(result, made)
      try draft.encode(values)
      let message = draft.handle
      var key: ObjectIdentifier?
      let answered: (DBusMessage) -> Bool = { [unowned self] answer in
        let slot = key.flatMap { calls.removeValue(forKey: $0) }
        withExtendedLifetime(slot) { onAnswer(answer) }
        return true
      }
      let slot = try DBusSlot(answered) { slot, handler, context in
        sd_bus_call_async(handle, slot, message, handler, context, deadlineMicroseconds)
      }
      let identity = ObjectIdentifier(slot)
      key = identity
      calls[identity] = slot
      return true
    } catch {
      return false
    }
  }

  /// Emits a signal.
  package func emit(_ signal: DBusSignal, _ values: [DBusValue]) throws(Errno) {
    var made: OpaquePointer?
    let result = sd_bus_message_new_signal(
      handle,
      &made,
      signal.path,
      signal.interface,
      signal.member
    )
    let draft = try DBusDraft(result, made)
    try draft.encode(values)
    try Errno.check(sd_bus_send(handle, draft.handle, nil))
  }

  // MARK: Answering

  /// Answers calls to an object and to all objects below it.
  package func export(
    below path: String,
    _ onCall: @escaping (DBusMessage) -> DBusAnswer
  ) throws(Errno) -> DBusSlot {
    try DBusSlot({ [unowned self] in answer($0, onCall($0)) }) { slot, handler, context in
      sd_bus_add_fallback(handle, slot, path, handler, context)
    }
  }

  private func answer(_ call: DBusMessage, _ answer: DBusAnswer) -> Bool {
    guard case .values(let values) = answer else { return false }
    // A caller that wants no answer, or has gone, gets none.
    do throws(Errno) {
      var made: OpaquePointer?
      let draft = try DBusDraft(sd_bus_message_new_method_return(call.handle, &made), made)
      try draft.encode(values)
      try Errno.check(sd_bus_send(handle, draft.handle, nil))
    } catch {}
    return true
  }

  /// Asks for a well-known name; where another connection has it, this one waits in line.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - onAnswer: Told whether the name is this connection's now.
  package func requestName(_ name: String, onAnswer: @escaping (Bool) -> Void = { _ in }) {
    let mine: Set<Int64> = [1, 4]
    call(
      .daemon("RequestName"),
      [.string(name), .uint32(0)],
      deadlineMicroseconds: 5_000_000
    ) { answer in
      onAnswer((try? answer.values())?.first?.number.map(mine.contains) ?? false)
    }
  }
}

/// The answer of an object to a call.
package enum DBusAnswer: Equatable {
  case values([DBusValue])
  /// The object knows no such method.
  case unknown
}

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

/// The most that is read of a message; senders are any program of the session.
package struct DBusBounds: Sendable {
  /// Bytes of one string.
  package let stringBytes: Int
  /// Values in all, each entry of a dictionary and each member of a structure counted.
  package let values: Int
  /// Containers within one another.
  package let depth: Int

  package init(stringBytes: Int, values: Int, depth: Int) {
    self.stringBytes = stringBytes
    self.values = values
    self.depth = depth
  }

  /// Room for everything that programs send in earnest.
  package static let usual = DBusBounds(stringBytes: 65_536, values: 1_024, depth: 8)
}

/// The reason why a message is not read.
package enum DBusMistake: Error, Equatable {
  case stringTooLong
  case tooManyValues
  case tooDeep
  /// The message is not as its signature says.
  case malformed
}
