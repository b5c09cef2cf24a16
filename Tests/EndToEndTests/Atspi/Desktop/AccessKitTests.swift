// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

extension DesktopTests {
  /// A real program with AccessKit, as toolkits in Rust have it.
  @Suite(
    .enabled(
      if: Desktop.excuse(Desktop.accessKitObstacle) == nil,
      "\(Desktop.accessKitObstacle ?? "")"
    )
  )
  struct AccessKitTests {
    /// A program at a real accessibility bus, to be told what to do.
    private final class Program {
      let bridge: Bridge
      private let process = Process()
      private let input = Pipe()

      init() throws {
        bridge = try Bridge(["--ears"])
        _ = try bridge.process.line(beginning: "a11y-atspi: hearing apps through AT-SPI")
        let home = try RunningDaemon.home(in: bridge.daemon.directory)
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [Desktop.file("accesskit-program.py")]
        process.environment = home.merging([
          "DBUS_SESSION_BUS_ADDRESS": bridge.session.address, "PYTHONPATH": Desktop.fetched,
          "PYTHONDONTWRITEBYTECODE": "1",
        ]) { $1 }
        process.standardInput = input
        try process.run()
      }

      deinit {
        try? input.fileHandleForWriting.close()
        process.terminate()
        process.waitUntilExit()
      }

      func tell(_ line: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
      }
    }

    @Test func `a text is announced as urgently as its region is, and only when it changes`()
      throws
    {
      let program = try Program()
      for line in ["polite Saved", "assertive The disk is full", "polite Saved", "polite Again"] {
        try program.tell(line)
      }

      for (text, priority) in [
        ("Saved", "default"), ("The disk is full", "high"), ("Again", "default"),
      ] {
        let event = try program.bridge.event("announcement").event
        #expect(event["text"] == .string(text))
        #expect(event["priority"] == .string(priority))
        #expect(event["origin"] == .string("atspi"))
      }
    }

    @Test func `the focus has a label, and moves`() throws {
      let program = try Program()
      let moves = [
        (nil, "Save", "button"), ("focus name", "Name", "text-field"),
        ("focus save", "Save", "button"),
      ]
      for (line, label, trait) in moves {
        if let line { try program.tell(line) }
        let element = try program.bridge.event("elements").event["upsert"][0]
        #expect(element["label"] == .string(label))
        #expect(element["traits"] == [.string(trait)])
        let move = try program.bridge.event("focus-changed").event
        #expect(move["element"] == element["id"])
      }
    }
  }
}
