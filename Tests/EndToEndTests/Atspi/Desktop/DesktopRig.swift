// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// A desktop below one directory: daemon, session, ears and screen, with all that is started there.
final class DesktopRig {
  let bridge: Bridge
  let screen: DesktopScreen
  private var shown: [DaemonProcess] = []

  init() throws {
    bridge = try Bridge(["--ears"])
    _ = try bridge.process.line(beginning: "a11y-atspi: hearing apps through AT-SPI")
    let home = try RunningDaemon.home(in: bridge.daemon.directory)
    screen = try DesktopScreen(
      home.merging(["DBUS_SESSION_BUS_ADDRESS": bridge.session.address]) { $1 }
    )
  }

  var directory: ScratchDirectory { bridge.daemon.directory }

  @discardableResult
  func show(
    _ browser: Browser,
    _ fragment: String = "",
    page: String = "page.html"
  ) throws -> DaemonProcess {
    let process = try browser.show(fragment, page: page, in: directory, on: screen)
    shown.append(process)
    return process
  }

  /// Ends a program as its session does, and waits until the ears know.
  func end(_ process: DaemonProcess, of app: String) throws {
    process.send(SIGTERM)
    _ = try process.end()
    try waitForEvent("client") { $0["state"] == .string("left") && $0["app"] == .string(app) }
  }

  /// Waits for the next event of this type that is so.
  @discardableResult
  func waitForEvent(_ type: String, isSo: (JSON) -> Bool) throws -> JSON {
    while true {
      let event = try bridge.event(type).event
      if isSo(event) { return event }
    }
  }

  /// Waits for the next announcement of this text.
  func waitForText(_ text: String) throws {
    try waitForEvent("announcement") { $0["text"] == .string(text) }
  }

  /// Waits until something of the element with the focus changes so.
  func waitForChange(_ name: String, _ value: JSON) throws {
    try waitForEvent("elements") { $0["upsert"][0][name] == value }
  }

  /// Waits until the focus goes to an element with this label.
  func waitForFocus(_ label: String) throws {
    let elements = try waitForEvent("elements") {
      $0["upsert"].list?.last?["label"] == .string(label)
    }
    let id = elements["upsert"].list?.last?["id"]
    try waitForEvent("focus-changed") { $0["element"] == id }
  }
}
