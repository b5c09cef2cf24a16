// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// A screen with a window manager, without which nothing has the keyboard, and its user.
final class DesktopScreen {
  private let server: ScreenServer
  private let manager: DaemonProcess
  /// The variables of programs that are shown there.
  var environment: [String: String] { server.environment }

  init(_ environment: [String: String]) throws {
    server = try ScreenServer("1024x768x24", environment)
    manager = try DaemonProcess([], of: "/usr/bin/openbox", environment: server.environment)
  }

  /// Gives the keyboard to the window whose title has these words, once it is there.
  func activate(_ title: String) throws {
    try waitUntil("the window “\(title)”") {
      _ = try user(["search", "--onlyvisible", "--name", title, "windowactivate"])
      return try user(["getactivewindow", "getwindowname"]).output.contains(title)
    }
  }

  /// Presses keys, as X calls them.
  func press(_ keys: String...) throws {
    let result = try user(["key"] + keys)
    #expect(result.status == 0, "\(result.output)")
  }

  /// Types a text.
  func write(_ text: String) throws {
    let result = try user(["type", text])
    #expect(result.status == 0, "\(result.output)")
  }

  private func user(_ words: [String]) throws -> (status: Int32, output: String) {
    try Command("/usr/bin/xdotool", words, environment: environment).run()
  }
}
