// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// `a11yctl hook` as assistants and shells start it.
@Suite(.timeLimit(.minutes(hangs)))
struct HookTests {
  private let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  /// Runs a script of sh, in which `hook` is the command.
  private func run(
    _ script: String,
    socket: String? = nil
  ) throws -> (status: Int32, output: String) {
    let program = "hook() { '\(LogFiles.tool)' hook \"$@\"; }\n\(script)"
    let environment = ["A11YD_SOCKET": socket ?? scratch("none.sock"), "LC_ALL": "C.UTF-8"]
    return try Command("/bin/sh", ["-c", program], environment: environment).run()
  }

  /// The texts that are heard of a script on a bus of its own.
  private func heard(_ script: String, _ options: String...) throws -> [String] {
    let program = "#!/bin/sh\nhook() { '\(LogFiles.tool)' hook \"$@\"; }\n\(script)\n"
    try program.write(toFile: scratch("app.sh"), atomically: true, encoding: .utf8)
    let output = try Command(
      LogFiles.tool,
      ["test"] + options + ["--", "sh", scratch("app.sh")],
      environment: ["TMPDIR": scratch(""), "LC_ALL": "C.UTF-8"]
    ).output()
    return output.split(separator: "\n").compactMap {
      $0.firstMatch(of: /^  \d+\.\d\d s: (.*?)(?: \(\d+ s late\))?$/).map { String($0.1) }
    }
  }

  private static let stop = """
    printf '%s' '{"session_id":"a","hook_event_name":"Stop",\
    "last_assistant_message":"Done so. Ok."}'
    """

  @Test func `a wish, the end of a turn and the last of the tools are heard`() throws {
    let tools = (1...5).map { number in
      """
      echo '{"session_id":"a","hook_event_name":"PreToolUse","tool_name":"Read",\
      "tool_input":{"file_path":"/x/f\(number).c"}}' | hook claude-code
      """
    }
    let texts = try heard(
      """
      \(tools.joined(separator: "\n"))
      echo '{"session_id":"g","hook_event_name":"Notification","message":"Tool Edit wants to edit",\
      "notification_type":"ToolPermission"}' | hook gemini
      hook codex --socket "$A11YD_SOCKET" \
        '{"type":"agent-turn-complete","thread-id":"b","last-assistant-message":"Renamed. Ok."}'
      \(Self.stop) | hook claude-code
      hook shell --status 1 --ms 12000
      hook shell --status 0 --ms 9000
      """
    )

    #expect(
      texts == [
        "Tool Edit wants to edit", "Codex is done: Renamed.", "Claude Code is done: Done so.",
        "The command has ended with 1, after 12 s", "Read: f5.c",
      ]
    )
  }

  @Test func `people change by rules what they hear of assistants`() throws {
    let rules = """
      [[rule]]
      name = "no tools"
      app = ["claude-code"]
      class = "status"
      present = "log"
      """
    try rules.write(toFile: scratch("rules.toml"), atomically: true, encoding: .utf8)
    let texts = try heard(
      """
      echo '{"hook_event_name":"PreToolUse","tool_name":"Read"}' | hook claude-code
      \(Self.stop) | hook claude-code
      """,
      "--rules",
      scratch("rules.toml")
    )

    #expect(texts == ["Claude Code is done: Done so."])
  }

  @Test(
    arguments: [
      "hook claude-code < /dev/null", "hook claude-code <&-", "echo '{' | hook gemini",
      "hook codex", "hook codex '' < /dev/null", "hook codex '{\"type\":7}'",
      "head -c 10000000 /dev/zero | tr '\\0' x | hook claude-code",
      "\(stop) | hook claude-code", "\(stop) | hook claude-code >&-",
      "hook shell --status 0 --ms 20000",
    ]
  )
  func `without a bus it says nothing and ends with 0`(script: String) throws {
    let (status, output) = try run(script)
    #expect(status == 0)
    #expect(output.isEmpty, "\(output)")
  }

  @Test(arguments: ["hook", "hook emacs", "hook shell --status many", "hook shell --no-such"])
  func `a wrong call is explained, and ends with 0`(script: String) throws {
    let (status, output) = try run(script)
    #expect(status == 0)
    #expect(output.hasPrefix("a11yctl: "))
  }

  @Test func `a bus that hangs is not waited for, and tells it later`() throws {
    let daemon = try RunningDaemon()
    let watcher = try daemon.connect()
    try watcher.subscribe(#","filter":{"types":["announcement"]}"#)
    kill(daemon.process.number, SIGSTOP)
    let (status, output) = try run("\(Self.stop) | hook claude-code", socket: daemon.socket)
    kill(daemon.process.number, SIGCONT)

    let entry = try watcher.entry().json()
    #expect(status == 0)
    #expect(output.isEmpty)
    #expect(entry["app"].string == "claude-code")
    #expect(entry["event"]["text"].string == "Claude Code is done: Done so.")
    #expect(entry["event"]["origin"].string == "notification")
  }

  @Test func `an input without an end is taken as it is after a second`() throws {
    let daemon = try RunningDaemon()
    let watcher = try daemon.connect()
    try watcher.subscribe(#","filter":{"types":["announcement"]}"#)
    // The pipe stays open until the hook has ended.
    let script = "mkfifo '\(scratch("pipe"))'; exec 3<>'\(scratch("pipe"))'\n\(Self.stop) >&3\n"
    let (status, _) = try run("\(script) hook claude-code <&3", socket: daemon.socket)

    #expect(status == 0)
    #expect(try watcher.entry().json()["event"]["text"].string == "Claude Code is done: Done so.")
  }
}
