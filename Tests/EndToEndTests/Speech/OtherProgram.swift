// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit

/// Another program, which speaks through the same speech-dispatcher and wants to be heard whole.
final class OtherProgram {
  private let client: RawClient
  private(set) var isLong = false

  init(_ socket: String) throws {
    client = try RawClient(socket)
    for line in ["SET self CLIENT_NAME user:other:main", "SET self NOTIFICATION ALL ON"] {
      try client.send(line + "\r")
      _ = try client.line()
    }
  }

  /// Speaks so many numbers, each for more than a second.
  func speak(_ count: Int) throws {
    isLong = count > 8
    try client.send("SPEAK\r")
    _ = try client.line()
    try client.send((0..<count).map { "\(54_321 + $0)" }.joined(separator: " ") + "\r\n.\r")
    _ = try wait { $0.hasPrefix("701 ") }
  }

  /// The code of its end.
  func end() throws -> String { try wait { $0.hasPrefix("702 ") || $0.hasPrefix("703 ") } }

  private func wait(where isIt: (String) -> Bool) throws -> String {
    while true {
      let line = try client.line()
      if isIt(line) { return String(line.prefix(3)) }
    }
  }
}
