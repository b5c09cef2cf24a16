// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Systemd
import Testing

@Suite struct JournalEntryTests {
  private let place = SourcePlace(file: "A11yDaemon/Log.swift", line: 12, function: "open()")

  @Test func `an entry reaches the journal with its kind, place and fields`() {
    let entry = JournalEntry(
      priority: .warning,
      message: "tail torn,\ncutting",
      messageID: MessageID("0123456789abcdef0123456789abcdef"),
      fields: [("BUS_SEQ", "17"), ("BUS_REASON", "a=b")],
      place: place
    )

    #expect(
      entry.items == [
        "MESSAGE=tail torn,\ncutting", "PRIORITY=4",
        "MESSAGE_ID=0123456789abcdef0123456789abcdef", "CODE_FILE=A11yDaemon/Log.swift",
        "CODE_LINE=12", "CODE_FUNC=open()", "BUS_SEQ=17", "BUS_REASON=a=b",
      ]
    )
  }

  @Test func `the journal gets a line for each field, and values of several lines with their size`()
  {
    let datagram = JournalSocket.datagram(["MESSAGE=a=b", "BUS_REASON=c\nd"])

    let size: [UInt8] = [3, 0, 0, 0, 0, 0, 0, 0]
    #expect(datagram == Array("MESSAGE=a=b\nBUS_REASON\n".utf8) + size + Array("c\nd\n".utf8))
  }

  @Test(arguments: [
    ("plain", "plain"),
    ("two\nlines\r\n", "two<U+000A>lines<U+000D><U+000A>"),
    ("\u{1B}]0;title\u{7}", "<U+001B>]0;title<U+0007>"),
    ("a\u{202E}b\u{2066}c", "a<U+202E>b<U+2066>c"),
    ("\u{9B}31m\u{7F}", "<U+009B>31m<U+007F>"),
    ("héllo 日本 👩‍🦯", "héllo 日本 👩‍🦯"),
  ])
  func `a line cannot be broken or steered by what it tells`(message: String, text: String) {
    let entry = JournalEntry(
      priority: .error,
      message: message,
      messageID: nil,
      fields: [],
      place: place
    )

    #expect(entry.line(prefixed: false) == text + "\n")
    #expect(entry.line(prefixed: true) == "<3>" + text + "\n")
  }

  @Test(arguments: ["BUS_seq", "SEQ", "_BUS", "BUS_A=B", "BUS_A1", "A11YD_SEQ"])
  func `a field that the journal would refuse is a mistake of ours`(name: String) throws {
    let process = try DaemonProcess(own: "journal-field", name)
    if case .exited = try process.end() { Issue.record("it was taken") }
  }
}
