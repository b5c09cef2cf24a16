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
  static let obstacle: String? = DBusDaemon.obstacle.map { words in
    // Where everything is to be tested, a missing package is a failure.
    if ProcessInfo.processInfo.environment["CI"] == "true" { Issue.record("\(words)") }
    return words
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
      environment: home.merging(["DBUS_SESSION_BUS_ADDRESS": session.address]) { $1 }
    )
  }

  private static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "a11y-atspi").path

  /// The next entry with an event of this type.
  func event(_ type: String) throws -> (entry: JSON, event: JSON) {
    while true {
      let entry = try log.entry().json()
      if entry["event"]["type"] == .string(type) { return (entry, entry["event"]) }
    }
  }
}
