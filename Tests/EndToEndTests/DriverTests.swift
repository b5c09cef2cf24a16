// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// `a11yctl driver serve` with the client of docs/ci.md, against the real daemon.
@Suite(.timeLimit(.minutes(hangs)))
struct DriverTests {
  private let daemon: RunningDaemon
  private let driver: DaemonProcess
  private let address: String

  init() throws {
    daemon = try RunningDaemon()
    driver = try DaemonProcess(
      ["driver", "serve", "--port", "0", "--socket", daemon.socket],
      of: LogFiles.tool,
      environment: try RunningDaemon.home(in: daemon.directory)
    )
    let line = try driver.line(beginning: "AT Driver is served at ")
    address = try #require(line.split(separator: " ").first { $0.hasPrefix("ws://") }).description
    _ = try driver.line(beginning: "The bus is here.")
  }

  /// The client in the document.
  private static func client() throws -> Substring {
    let document = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../docs/ci.md")
    let text = try String(contentsOf: document, encoding: .utf8)
    return try #require(text.firstMatch(of: /```python\n((?:(?!```).*\n)*)```/)).1
  }

  /// Runs a script of Python behind that client; `driver` is one with a session.
  private func run(_ script: String) throws -> [String] {
    let beginning = """
      import sys
      address = "\(address)"
      driver = Driver(address)
      session = driver.command("session.new", capabilities={})["result"]
      """
    let program = "\(try Self.client())\n\(beginning)\n\(script)\n"
    let output = try Command("/usr/bin/python3", ["-c", program]).output()
    return output.split(separator: "\n").map(String.init)
  }

  /// The tool with the bus of this test, as a list of Python.
  private var tool: String {
    "['\(LogFiles.tool)', 'announce', '--socket', '\(daemon.socket)', '--quiet']"
  }

  @Test func `a session hears what is spoken, and what is not with the reason`() throws {
    let lines = try run(
      """
      import subprocess
      for text in ["Item was added", "Item was added", "Saved"]:
          subprocess.run(\(tool) + [text], check=True)
      for _ in range(3):
          event = driver.next()
          print(event["method"], event["params"].get("data"), event["params"].get("reason"))
      """
    )
    #expect(
      lines == [
        "interaction.capturedOutput Item was added None",
        "a11yd:speech.withheldOutput None duplicate", "interaction.capturedOutput Saved None",
      ]
    )
    // It ends each text itself, where nobody else speaks.
    let watcher = try daemon.connect()
    try watcher.subscribe(#","from":"start","filter":{"types":["outcome"]}"#)
    var heard = 0
    while heard < 2 {
      if try watcher.entry().json()["event"]["result"].string == "heard" { heard += 1 }
    }
  }

  @Test func `there is one session, and another when its connection has closed`() throws {
    let lines = try run(
      """
      other = Driver(address)
      print(other.command("session.new", capabilities={})["error"])
      print(other.command("settings.getSupportedSettings")["error"])
      print(driver.command("session.new", capabilities={})["error"])
      driver.stream.close()
      driver.socket.close()
      while "error" in (answer := other.command("session.new", capabilities={})):
          pass
      print(answer["result"]["capabilities"]["atName"], len(answer["result"]["sessionId"]))
      """
    )
    #expect(
      lines == [
        "session not created", "invalid session id", "session not created", "a11yd 36",
      ]
    )
  }

  @Test func `settings of the voice are told and changed, and wrong ones refused`() throws {
    let lines = try run(
      """
      def change(name, value):
          answer = driver.command("settings.setSettings", settings=[{"name": name, "value": value}])
          return answer.get("error", "changed")
      def value(name):
          answer = driver.command("settings.getSettings", settings=[{"name": name}])
          return answer["result"]["settings"][0]["value"] if "result" in answer else answer["error"]
      print(value("rate"), change("rate", 20), value("rate"), change("rate", None), value("rate"))
      print(change("rate", 1000), change("passwords", True), value("passwords"))
      print(len(driver.command("settings.getSupportedSettings")["result"]["settings"]) > 5)
      """
    )
    #expect(
      lines == [
        "0 changed 20 changed 0", "invalid argument invalid argument invalid argument", "True",
      ]
    )
  }

  @Test func `what is no command costs its sender nothing else`() throws {
    let lines = try run(
      """
      for message in [b"{", b"[1]", b"x" * 100]:
          driver.socket.sendall(bytes([0x81, 128 + len(message)]) + bytes(4) + message)
          answer = driver._receive()
          print(answer["id"], answer["error"])
      driver.socket.sendall(bytes([0x82, 129]) + bytes(4) + b"x")
      print(driver._receive()["error"])
      driver.socket.sendall(bytes([0x89, 128 + 2]) + bytes(4) + b"hi")
      print(driver.stream.read(4))
      print(driver.command("interaction.userIntent", name="x:y")["error"])
      print(driver.command("interaction.userIntent", name="pressKeys", keys=["a"])["error"])
      """
    )
    #expect(
      lines == [
        "None invalid argument", "None invalid argument", "None invalid argument",
        "invalid argument", "b'\\x8a\\x02hi'", "unknown user intent",
        "cannot simulate keyboard interaction",
      ]
    )
  }

  @Test func `the bus may go and come back`() throws {
    daemon.kill()
    _ = try driver.line(beginning: "The bus is away")
    try daemon.start()
    _ = try driver.line(beginning: "The bus is here.")

    let lines = try run(
      """
      import subprocess
      subprocess.run(\(tool) + ["Again"], check=True)
      print(driver.next()["params"]["data"])
      """
    )
    #expect(lines == ["Again"])
  }

  @Test func `it ends at once when it is asked to, with 0`() throws {
    driver.send(SIGTERM)
    #expect(try driver.end() == .exited(0))
  }

  @Test(
    arguments: [
      (["--port", "seven"], 64), (["--port", "-8000"], 64), (["--port", "2004.3"], 64),
      (["--port", "0x1000"], 64), (["--port"], 64), (["--no-token", "--token-file", "x"], 64),
      (["--token-file", "/no/such/file"], 66), (["--token-file", "/dev/null"], 66),
    ] as [([String], Int32)]
  )
  func `a wrong call is refused`(words: [String], code: Int32) throws {
    #expect(try Command(LogFiles.tool, ["driver", "serve"] + words).run().status == code)
  }

  @Test func `a run has a desktop of its own, and ends with its program's code`() throws {
    let script = """
      test -n "$DISPLAY" -a -n "$DBUS_SESSION_BUS_ADDRESS" || exit 2
      '\(LogFiles.tool)' announce "From within" || exit 3
      case $AT_DRIVER_URL in ws://127.0.0.1:*/session?token=*) exit 7;; esac
      """
    let scratch = try ScratchDirectory()
    let words = ["driver", "run", "--", "sh", "-c", script]
    let result = try Command(LogFiles.tool, words, environment: ["TMPDIR": scratch("")]).run()

    #expect(result.status == 7, "\(result.output)")
    let left = try FileManager.default.contentsOfDirectory(atPath: scratch(""))
    #expect(left.filter { $0.hasPrefix("a11yctl-") } == [])
    #expect(try Command(LogFiles.tool, ["driver", "run"]).run().status == 64)
    let missing = ["driver", "run", "--", "/no/such/program"]
    #expect(try Command(LogFiles.tool, missing).run().status == 69)
  }

  @Test(
    .enabled(if: OrcaRig.isWanted),
    arguments: [["--browser", "chromium"], ["--browser", "chromium", "--orca"]]
  )
  func `a page in a browser is driven, by ear`(options: [String]) throws {
    let scratch = try ScratchDirectory()
    let page = """
      <!doctype html><html lang="en"><title>Contacts</title><button autofocus>Save</button>
      <p role="alert"></p><script>document.querySelector("button").onclick = () => {
      document.querySelector("p").textContent = "Contacts saved"; };</script></html>
      """
    try page.write(toFile: scratch("page.html"), atomically: true, encoding: .utf8)
    let script = """
      \(try Self.client())
      import os
      driver = Driver(os.environ["AT_DRIVER_URL"])
      driver.command("session.new", capabilities={})
      def hear(word):
          while word not in driver.next()["params"].get("data", ""):
              pass
          print(word, flush=True)
      hear("Save")
      driver.command("interaction.userIntent", name="pressKeys", keys=["\\ue006"])
      hear("Contacts saved")
      """
    try script.write(toFile: scratch("drive.py"), atomically: true, encoding: .utf8)
    let words = ["--page", "file://\(scratch("page.html"))", "--", "/usr/bin/python3"]
    let output = try Command(
      LogFiles.tool,
      ["driver", "run"] + options + words + [scratch("drive.py")],
      environment: ["TMPDIR": scratch("")]
    ).output()

    #expect(output.contains("Save\nContacts saved"))
  }

  @Test func `a port that is taken is told`() throws {
    let port = try #require(address.split { ":/".contains($0) }.dropFirst(2).first)
    let words = ["driver", "serve", "--socket", daemon.socket, "--port", "\(port)"]
    let (status, output) = try Command(LogFiles.tool, words).run()
    #expect(status == 73)
    #expect(output == "a11yctl: Port \(port) is taken. Try: a11yctl driver serve --port 0")
  }
}
