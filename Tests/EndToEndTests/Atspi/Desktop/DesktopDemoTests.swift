// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

extension DesktopTests {
  /// The demonstration, as anybody runs it.
  @Suite(.enabled(if: Desktop.excuse(Desktop.demoObstacle) == nil, "\(Desktop.demoObstacle ?? "")"))
  struct DesktopDemoTests {
    @Test func `a second Save is not heard, and why is told, while the voice is recorded`() throws {
      let directory = try ScratchDirectory()
      let programs = URL(filePath: DaemonProcess.program).deletingLastPathComponent().path
      let recording = directory("demo.wav")
      let demo = try DaemonProcess(
        [programs, recording],
        of: Desktop.demo,
        environment: ["TMPDIR": directory.path]
      )
      _ = try demo.line(containing: "The voice is in", within: .seconds(90))
      let end = try demo.end()
      let lines = demo.said.split(separator: "\n").map(String.init)

      #expect(end == .exited(0))
      #expect(lines.contains { $0.hasPrefix("1: Contacts saved.") && $0.contains("heard") })
      let why = lines.first { $0.contains("was not heard: it was the same text as ") }
      #expect(why?.contains("duplicates") == true, "\(lines)")
      #expect(lines.last?.hasPrefix("The voice is in \(recording), ") == true)
      #expect(try Data(contentsOf: URL(filePath: recording)).starts(with: Data("RIFF".utf8)))
    }
  }
}
