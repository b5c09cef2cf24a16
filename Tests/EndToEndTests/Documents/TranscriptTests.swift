// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// The documents show what the programs really print.
@Suite(.timeLimit(.minutes(hangs)))
struct TranscriptTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func text(_ document: String) throws -> String {
    try String(contentsOf: root.appending(path: document), encoding: .utf8)
  }

  private let daemon: RunningDaemon
  private let environment: [String: String]

  init() throws {
    daemon = try RunningDaemon()
    let programs = URL(filePath: LogFiles.tool).deletingLastPathComponent().path
    environment = try RunningDaemon.home(in: daemon.directory).merging([
      "A11YD_SOCKET": daemon.socket, "STATE_DIRECTORY": daemon.state,
      "PATH": "\(programs):/usr/bin:/bin", "LC_ALL": "C.UTF-8",
      "PYTHONPATH": Self.root.appending(path: "clients/python/src").path,
    ]) { $1 }
  }

  /// Starts a reader, which speaks a character in a millisecond, and waits until it is there.
  private func startReader(_ watcher: RawClient) throws -> DaemonProcess {
    let reader = try DaemonProcess(
      ["listen", "--ms-per-char", "1"],
      of: LogFiles.tool,
      environment: environment
    )
    let deadline = Deadline.usual
    while try watcher.ask(#"{"id":1,"op":"state"}"#)["ok"]["reader"]["running"] != true {
      if deadline.isOver { throw Missing("the reader") }
    }
    return reader
  }

  /// Waits until all that was published has ended.
  private func settle(_ watcher: RawClient) throws {
    let deadline = Deadline.usual
    while try watcher.ask(#"{"id":1,"op":"state"}"#)["ok"]["pending"].count ?? 0 > 0 {
      if deadline.isOver { throw Missing("the end of what is pending") }
    }
  }

  @Test(arguments: [
    "README.md", "docs/listening.md", "docs/apps.md", "docs/ci.md", "clients/shell/README.md",
  ])
  func `each transcript is what its command prints`(document: String) throws {
    let transcripts = Transcript.all(in: document, try Self.text(document))
    try #require(!transcripts.isEmpty)
    let watcher = try daemon.connect()
    let reader = try startReader(watcher)
    defer { reader.kill() }
    let folder = daemon.directory("home")
    for transcript in transcripts {
      let script = "cd \(folder) && \(transcript.command)"
      let (_, printed) = try Command("/bin/bash", ["-c", script], environment: environment).run()
      #expect(
        transcript.matches(printed),
        "\(transcript)\nexpected: \(transcript.expected)\nprinted:  \(printed)"
      )
      try settle(watcher)
    }
  }

  @Test func `the demo says what the readme shows of it`() throws {
    let readme = try Self.text("README.md")
    let shown = try #require(readme.firstMatch(of: /screen reader would say:\n\n((?: {4}.+\n)+)/)).1
      .split(separator: "\n").map { String($0.dropFirst(4)) }
    let programs = URL(filePath: LogFiles.tool).deletingLastPathComponent().path
    let demo = try DaemonProcess(
      [Self.root.appending(path: "tools/run-demo").path, programs],
      of: "/bin/bash",
      environment: ["PATH": "/usr/bin:/bin", "TMPDIR": daemon.directory.path]
    )
    _ = try demo.line(containing: " was not heard: it was the same text as ")
    // The rest is one sentence of a voice.
    demo.send(SIGTERM)
    _ = try demo.end()

    let printed = demo.said.split(separator: "\n").map(String.init)
    #expect(shown.count > 3)
    #expect(printed.contains(shown), "\(printed)")
    // It begins with what a person would want to hear, in words.
    let heard = printed.filter { $0.hasPrefix("Heard: ") }
    #expect(
      heard.starts(with: [
        "Heard: a sound that says: this is a new screen", "Heard: Name, Ada Lovelace, text field",
      ]),
      "\(heard)"
    )
    #expect(heard.allSatisfy { !$0.contains("interrupted") && !$0.contains("[") }, "\(heard)")
  }

  @Test func `the readme's lines of Python publish`() throws {
    let block = try #require(Self.text("README.md").firstMatch(of: /```python\n((?:.|\n)*?)```/))

    _ = try Command("/usr/bin/python3", ["-c", String(block.1)], environment: environment).output()

    #expect(
      try daemon.linesOnDisk().contains {
        $0.contains(#""app":"org.example.Contacts""#) && $0.contains("Item was added")
      }
    )
  }

  @Test func `a difference is seen`() {
    func matches(_ expected: String, _ printed: String) -> Bool {
      Transcript(document: "", command: "", expected: expected).matches(printed)
    }

    #expect(matches("11 was heard: … before; bye", "7 was heard: 40 ms before; bye"))
    #expect(matches("", ""))
    #expect(!matches("", "more"))
    #expect(!matches("heard", "not heard"))
    #expect(!matches("heard", "heard and more"))
    #expect(!matches("11 was …, and 2", "11 was a, or 2"))
    #expect(matches("a …", "a b\nc"))
  }
}
