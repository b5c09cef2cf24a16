// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// A screen with a window manager, without which nothing has the keyboard, and its user.
final class DesktopScreen {
  private let server: DaemonProcess
  private let manager: DaemonProcess
  /// The variables of programs that are shown there.
  let environment: [String: String]

  init(_ environment: [String: String]) throws {
    // The server chooses a free number, and tells it when it takes connections.
    let size = ["-screen", "0", "1024x768x24"]
    server = try DaemonProcess(
      ["-displayfd", "1", "-nolisten", "tcp"] + size,
      of: "/usr/bin/Xvfb",
      environment: environment
    )
    let number = try server.line(where: { !$0.isEmpty && $0.allSatisfy(\.isNumber) })
    self.environment = environment.merging(["DISPLAY": ":\(number)"]) { $1 }
    manager = try DaemonProcess([], of: "/usr/bin/openbox", environment: self.environment)
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
