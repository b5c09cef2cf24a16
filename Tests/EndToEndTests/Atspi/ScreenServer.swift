// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit

/// A real X server whose screen nobody sees.
final class ScreenServer {
  private let process: DaemonProcess
  /// The variables of programs that are shown there.
  let environment: [String: String]

  /// Starts a server that takes connections when this returns.
  init(_ size: String, _ environment: [String: String]) throws {
    // The server chooses a free number, and tells it. Without -noreset it would begin anew whenever
    // its last client leaves, and turn away those that come in that moment.
    process = try DaemonProcess(
      ["-displayfd", "1", "-noreset", "-nolisten", "tcp", "-screen", "0", size],
      of: "/usr/bin/Xvfb",
      environment: environment
    )
    let number = try process.line(where: { !$0.isEmpty && $0.allSatisfy(\.isNumber) })
    self.environment = environment.merging(["DISPLAY": ":\(number)"]) { $1 }
  }
}
