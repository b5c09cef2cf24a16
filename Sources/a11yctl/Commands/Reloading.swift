// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yWire
import Glibc

/// Having the bus read its configuration and its rules again, and waiting until it has.
struct Reloading {
  /// Far more than the milliseconds that reading some files takes; a bus that is busy for longer
  /// has other troubles.
  private static let patience: UInt64 = 10_000_000
  /// The milliseconds between two looks at the counter of reloads.
  private static let pause: Int32 = 10

  let path: String

  /// The mistake for which the bus has taken nothing over; nil where all is in force.
  func mistake() throws(Failure) -> String? {
    let bus = try asking { () throws(ClientError) in try BusConnection(path: path) }
    let before = try stats(bus)
    guard let pid = before["pid"]?.integer.flatMap(Int32.init(exactly:)),
      let count = before["reloads"]?["count"]?.integer
    else { throw Failure(.refused, "This bus does not tell which process it is.") }
    try signal(pid)
    let deadline = SystemClock.monotonicMicroseconds() + Self.patience
    while true {
      let after = try stats(bus)
      if let now = after["reloads"]?["count"]?.integer, now > count {
        return after["reloads"]?["refused"]?.string
      }
      guard SystemClock.monotonicMicroseconds() < deadline else {
        throw Failure(.unreachable, "The bus has not read its configuration within 10 seconds.")
      }
      _ = poll(nil, 0, Self.pause)
    }
  }

  private func stats(_ bus: BusConnection) throws(Failure) -> JSONValue {
    try asking { () throws(ClientError) in try bus.request("stats") }
  }

  /// Sends the signal to reload.
  ///
  /// The process id comes from the socket's other side, so the name of the process is checked
  /// first.
  private func signal(_ pid: Int32) throws(Failure) {
    let name = try? File.read("/proc/\(pid)/comm", limit: 64)
    guard pid > 1, name == Array("a11yd\n".utf8) else {
      throw Failure(.refused, "Process \(pid) is no a11yd of this machine.")
    }
    do throws(Errno) {
      try Signals.hangUp(pid)
    } catch {
      throw Failure(.refused, "The bus cannot be asked to reload: \(error).")
    }
  }
}
