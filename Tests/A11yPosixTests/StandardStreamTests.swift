// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

@Suite struct StandardStreamTests {
  @Test func `output arrives whole`() throws {
    let process = try DaemonProcess(own: "output")
    #expect(try process.end() == .exited(0))
    #expect(process.said == String(repeating: "x", count: 100_000) + "complaint\n")
  }

  @Test func `a reader that has gone is an outcome`() throws {
    #expect(try DaemonProcess(own: "output-without-reader").end() == .exited(0))
  }
}
