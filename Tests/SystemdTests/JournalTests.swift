// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Foundation
import Systemd
import Testing

@Suite struct JournalTests {
  @Test(
    arguments: [
      ("8:1234", .journal),
      ("8:1235", .standardError(prefixed: true)),
      ("9:1234", .standardError(prefixed: true)),
      ("", .standardError(prefixed: true)),
      (nil, .standardError(prefixed: true)),
    ] as [(String?, Journal.Destination)]
  )
  func `the journal is chosen exactly when standard error leads there`(
    stream: String?,
    destination: Journal.Destination
  ) {
    let standardError = FileIdentity(device: 8, inode: 1234)

    let chosen = Journal.Destination.chosen(
      stream: stream,
      standardError: standardError,
      prefixed: true
    )

    #expect(chosen == destination)
  }

  @Test(arguments: LogLevel.allCases, LogLevel.allCases)
  func `an entry is logged from its threshold upwards`(priority: LogLevel, threshold: LogLevel) {
    #expect(priority.reaches(threshold) == (priority.rawValue <= threshold.rawValue))
  }

  @Test func `levels have the names that the configuration uses`() {
    let names = ["error", "warning", "notice", "info", "debug"]

    #expect(names.map(LogLevel.init(name:)) == LogLevel.allCases)
    #expect(LogLevel(name: "verbose") == nil)
  }

  @Test func `a flood becomes ten lines and a count`() throws {
    let process = try DaemonProcess(own: "journal-flood")
    #expect(try process.end() == .exited(0))
    let lines = process.said.split(separator: "\n").map(String.init)
    let first = (0..<10).map { "<4>flood \($0)" }
    #expect(lines == first + ["<4>15 more suppressed", "<4>later"])
  }

  @Test func `a full journal takes nothing and an emptied one does`() throws {
    let service = try DatagramService()
    let journal = try JournalSocket(path: service.path)

    let atFirst = journal.send(["MESSAGE=first"])
    try service.fill()
    let whenFull = journal.send(["MESSAGE=second"])
    _ = service.received()
    let whenEmptied = journal.send(["MESSAGE=third"])

    #expect(atFirst)
    #expect(!whenFull)
    #expect(whenEmptied)
    #expect(service.received() == ["MESSAGE=third\n"])
  }

  @Test func `a line that standard error has no room for is counted, and told when there is`()
    throws
  {
    let pipe = try FullPipe()
    let journal = Journal(
      to: .standardError(prefixed: false),
      threshold: .info,
      outlet: Outlet(over: pipe.writing)
    )
    let say: (String) -> Void = { words in
      journal.send(priority: .info, message: words, messageID: nil, fields: [], at: 0)
    }

    say("first")
    say("second")
    pipe.drain()
    say("third")

    #expect(pipe.drain() == "2 entries lost while nothing took them\nthird\n")
  }
}
