// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yWire
import Glibc

/// Has the bus read its configuration and its rules again, and tells the result.
struct ReloadCommand: Command {
  static let name = "reload"
  static let summary = "have the bus read its configuration and rules again"
  static let usage = "[OPTION]..."
  static let notes = """
    Waits until it is done. If there is a mistake in a file, the bus goes on as before, the mistake
    is told, and the command ends with 78. Nobody is disconnected.
    """
  static let options: [Flag] = []

  /// Far more than the milliseconds that reading some files takes; a bus that is busy for longer
  /// has other troubles.
  private static let patience: UInt64 = 10_000_000
  /// The milliseconds between two looks at the counter of reloads.
  private static let pause: Int32 = 10

  private let path: String

  init(_ words: CommandWords) throws(Failure) {
    try words.refuseOperands()
    path = try words.socket(for: .operation(.stats)).path
  }

  func run(_ output: Output) throws(Failure) {
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
        try show(after["reloads"]?["refused"]?.string, output)
        return
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

  private func show(_ refused: String?, _ output: Output) throws(Failure) {
    if let refused {
      throw Failure(
        .configuration,
        VisibleText.of("Nothing was taken over, the bus goes on as before: \(refused)")
      )
    }
    output.line("Configuration and rules were read again and are in force.")
  }
}
