// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// The real `a11y-atspi` between a real session's bus and a real daemon.
final class Bridge {
  let daemon: RunningDaemon
  let session: DBusDaemon
  let process: DaemonProcess
  /// A subscriber that has seen everything up to the start of the bridge.
  let log: RawClient

  /// Why there can be none here; nil where there can.
  static let obstacle = outsideCI(DBusDaemon.obstacle)

  /// The same for a registry of AT-SPI.
  static let registryObstacle = outsideCI(
    FileManager.default.fileExists(atPath: "/usr/share/dbus-1/services/org.a11y.Bus.service")
      ? nil : "at-spi2-core is not installed"
  )

  /// The same for a program with GTK on a screen of its own.
  static let gtkObstacle = outsideCI(
    (try? Command("/usr/bin/python3", ["-c", gtkTrial]).run())?.status == 0
      && FileManager.default.isExecutableFile(atPath: "/usr/bin/xvfb-run")
      ? nil : "GTK 3 for Python or Xvfb is not installed"
  )
  private static let gtkTrial = "import gi; gi.require_version('Gtk', '3.0')"

  /// The obstacle; none where everything is to be tested, so that a missing package is a failure.
  private static func outsideCI(_ words: String?) -> String? {
    ProcessInfo.processInfo.environment["CI"] == "true" ? nil : words
  }

  init(_ options: [String], settings: String = "") throws {
    daemon = try RunningDaemon()
    let home = try RunningDaemon.home(in: daemon.directory)
    session = try DBusDaemon(in: daemon.directory, environment: home)
    let file = daemon.directory("atspi.toml")
    try Data(settings.utf8).write(to: URL(filePath: file))
    log = try daemon.connect()
    try log.subscribe()
    process = try DaemonProcess(
      options + ["--socket", daemon.socket, "--config", file],
      of: Self.program,
      environment: home.merging([
        "DBUS_SESSION_BUS_ADDRESS": session.address,
        // The session's lock is played there, too.
        "DBUS_SYSTEM_BUS_ADDRESS": session.address,
      ]) { $1 }
    )
  }

  private static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "a11y-atspi").path

  deinit {
    // The session's services outlive its bus, and some of them the tests.
    for process in RigProcess.all(of: daemon.directory) { kill(process.id, SIGKILL) }
  }

  /// The accessibility bus of the session: its address, and the processes of its daemon and of its
  /// registry.
  func accessibilityBus() throws -> (address: String, daemon: pid_t, registry: pid_t) {
    let answer = try ask("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress")
    let address = String(answer.dropFirst(#"s ""#.count).dropLast())
    let numbers = try ["org.freedesktop.DBus", "org.a11y.atspi.Registry"].map { name in
      let bus = "org.freedesktop.DBus"
      let words = ["call", bus, "/org/freedesktop/DBus", bus, "GetConnectionUnixProcessID", "s"]
      let answer = try Self.busctl(address, words + [name])
      guard let number = pid_t(answer.dropFirst("u ".count)) else { throw Missing(answer) }
      return number
    }
    return (address, numbers[0], numbers[1])
  }

  /// Calls a method at the session's bus, and returns the answer as busctl prints it.
  func ask(_ words: String...) throws -> String {
    try Self.busctl(session.address, ["call"] + words)
  }

  /// Runs busctl; a failure may pass, and is no fault by itself.
  static func busctl(_ address: String, _ words: [String]) throws -> String {
    let result = try Command("/usr/bin/busctl", ["--address=\(address)"] + words).run()
    guard result.status == 0 else { throw Missing(result.output) }
    return result.output
  }

  /// The next entry with an event of this type.
  func event(_ type: String) throws -> (entry: JSON, event: JSON) {
    while true {
      let entry = try log.entry().json()
      if entry["event"]["type"] == .string(type) { return (entry, entry["event"]) }
    }
  }
}
