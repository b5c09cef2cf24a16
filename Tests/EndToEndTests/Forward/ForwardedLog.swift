// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit

/// A machine whose log goes to an engine.
protocol ForwardedLog {
  var daemon: RunningDaemon { get }
}

extension ForwardedLog {
  /// Publishes texts as an app of this name.
  func announce(_ count: Int, as app: String = "org.x") throws {
    let client = try daemon.connect()
    try client.hello(app)
    for number in 0..<count {
      try client.send(
        #"{"op":"publish","event":{"type":"announcement","text":"\#(app) \#(number)"}}"#
      )
    }
    _ = try client.last()
  }

  /// The entries of the log's files that have not been forgotten.
  func logged() throws -> [String] {
    // Retention may take a file between its listing and its reading.
    for _ in 0..<64 {
      guard let lines = try? daemon.linesOnDisk() else { continue }
      return lines.filter(isEntry)
    }
    throw Missing("a log that stays as it is while it is read")
  }

  /// Whether a line is an entry that has not been forgotten.
  func isEntry(_ line: String) -> Bool {
    line.hasPrefix("{\"seq\":") && !line.contains(#""event":{"type":"forgotten"}"#)
  }
}
