// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Foundation
import Testing

/// The shipped units under a real systemd: activation, restarts, reload, the journal.
///
/// The tests share one machine and one service, so they stand in a row; each brings the service
/// into the state that it needs.
@Suite(
  .serialized,
  .timeLimit(.minutes(hangs)),
  .enabled(if: BootedMachine.obstacle == nil, Comment(rawValue: BootedMachine.obstacle ?? ""))
)
struct RealSystemdTests {
  let machine: BootedMachine

  init() throws { machine = try BootedMachine.shared.get() }

  @Test func `the first client starts the service by its socket`() throws {
    try machine.asTester("systemctl", "--user", "stop", "a11yd.service")

    let client = try LineClient(machine.testersSocket)

    #expect(try client.isAnswered())
    #expect(try machine.property("ActiveState") == "active")
    #expect(try machine.property("SubState") == "running")
    #expect(try machine.property("Type") == "notify")
    #expect(try machine.property("StatusText") != "")
  }

  @Test func `the session's socket is the user's alone`() throws {
    let socket = "/run/user/\(BootedMachine.tester)/a11yd/bus.sock"

    #expect(try machine.run("stat", "-c", "%a %U", socket) == "600 a11y-tester")
    #expect(try machine.run("stat", "-c", "%a", "/run/user/4711/a11yd") == "700")
  }

  @Test func `the log is in the user's state directory, and the user's alone`() throws {
    #expect(try LineClient(machine.testersSocket).isAnswered())

    let home = "/var/lib/a11y-tester"

    #expect(
      try machine.run("stat", "-c", "%a %U", "\(home)/.local/state/a11yd") == "700 a11y-tester"
    )
    #expect(try machine.run("find", home, "-name", "*.ndjson", "!", "-perm", "600") == "")
    #expect(try machine.run("find", home, "-name", "*.ndjson", "-perm", "600") != "")
  }

  @Test func `clients that connect while the service restarts are served, none is refused`() throws
  {
    #expect(try LineClient(machine.testersSocket).isAnswered())
    let before = try machine.property("MainPID")

    let restart = try machine.begin(asTester: "systemctl", "--user", "restart", "a11yd.service")
    while restart.isRunning {
      // Connecting throws where it is refused. An old daemon may take leave instead of answering.
      _ = try LineClient(machine.testersSocket).isAnswered()
    }

    #expect(restart.terminationStatus == 0)
    #expect(try LineClient(machine.testersSocket).isAnswered())
    #expect(try machine.property("MainPID") != before)
  }

  @Test func `a stop is clean and leaves the socket`() throws {
    #expect(try LineClient(machine.testersSocket).isAnswered())

    try machine.asTester("systemctl", "--user", "stop", "a11yd.service")

    #expect(try machine.property("Result") == "success")
    #expect(try machine.property("ExecMainStatus") == "0")
    #expect(try machine.property("ActiveState", of: "a11yd.socket") == "active")
    #expect(try LineClient(machine.testersSocket).isAnswered())
  }

  @Test func `a killed service comes back by itself`() throws {
    #expect(try LineClient(machine.testersSocket).isAnswered())
    let before = try machine.property("MainPID")

    try machine.asTester("systemctl", "--user", "kill", "--signal=KILL", "a11yd.service")

    #expect(try LineClient(machine.testersSocket).isAnswered())
    #expect(try machine.property("MainPID") != before)
    #expect(try machine.property("NRestarts") != "0")
  }

  @Test func `a service that hangs is noticed and restarted`() throws {
    let directory = machine.path("/run/user/4711/systemd/user.control/a11yd.service.d")
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try "[Service]\nWatchdogSec=1s\n".write(
      toFile: directory + "/watchdog.conf",
      atomically: false,
      encoding: .utf8
    )
    try machine.asTester("systemctl", "--user", "daemon-reload")
    try machine.asTester("systemctl", "--user", "restart", "a11yd.service")
    #expect(try LineClient(machine.testersSocket).isAnswered())
    let before = try machine.property("MainPID")

    try machine.asTester("systemctl", "--user", "kill", "--signal=STOP", "a11yd.service")

    #expect(try LineClient(machine.testersSocket).isAnswered())
    #expect(try machine.property("MainPID") != before)

    try FileManager.default.removeItem(atPath: directory)
    try machine.asTester("systemctl", "--user", "daemon-reload")
    try machine.asTester("systemctl", "--user", "restart", "a11yd.service")
  }

  @Test func `a reload with a mistake keeps everything and says where it is`() throws {
    let client = try LineClient(machine.testersSocket)
    #expect(try client.isAnswered())
    let before = try machine.property("MainPID")
    let file = "/var/lib/a11y-tester/.config/a11yd/a11yd.toml"
    let mistake = "mkdir -p ${0%/*}; printf '[log]\\nretain_day = 3\\n' >$0"
    try machine.asTester("sh", "-c", mistake, file)

    try machine.asTester("systemctl", "--user", "reload", "a11yd.service")

    let refused = "MESSAGE_ID=9999c35c53ff4b6cbc5b1a2e082b9a7e"
    let entry = try machine.entry(refused, "_SYSTEMD_USER_UNIT=a11yd.service")
    #expect(entry["BUS_REASON"]?.hasPrefix("\(file):2:1: ") == true)
    #expect(entry["BUS_REASON"]?.contains("did you mean retain_days?") == true)
    #expect(try client.isAnswered())
    #expect(try machine.property("MainPID") == before)
    #expect(try machine.property("ActiveState") == "active")
    #expect(try machine.property("StatusText").contains("a11yd.toml"))

    try machine.asTester("rm", file)
    try machine.asTester("systemctl", "--user", "reload", "a11yd.service")
    _ = try machine.entry("MESSAGE_ID=f4c8920ed74046e28f6ea1b4172ffeed")
    #expect(try client.isAnswered())
  }

  @Test func `a mistake and a restart leave the service and its socket alive`() throws {
    #expect(try LineClient(machine.testersSocket).isAnswered())
    let file = "/var/lib/a11y-tester/.config/a11yd/a11yd.toml"
    let mistake = "mkdir -p ${0%/*}; printf '[log]\\nretain_days = soon\\nretain_entrys = 3\\n' >$0"
    try machine.asTester("sh", "-c", mistake, file)

    try machine.asTester("systemctl", "--user", "restart", "a11yd.service")

    #expect(try LineClient(machine.testersSocket).isAnswered())
    #expect(try machine.property("NRestarts") == "0")
    #expect(try machine.property("ActiveState") == "active")
    #expect(try machine.property("ActiveState", of: "a11yd.socket") == "active")
    #expect(try machine.property("StatusText").contains("\(file):2:"))
    let unit = "_SYSTEMD_USER_UNIT=a11yd.service"
    let entry = try machine.entry("MESSAGE_ID=251a4564abb04d6ba8b86a913276991b", unit)
    #expect(entry["BUS_REASON"]?.contains("\(file):2:") == true)
    #expect(entry["BUS_REASON"]?.contains("did you mean retain_entries?") == true)
    try machine.run("journalctl", "--sync")
    let explained = try machine.asTester("journalctl", "--user", "--catalog", "--no-pager")
    #expect(explained.contains("Subject: The configuration has a mistake; defaults take its place"))
    #expect(!explained.contains("@BUS_"), "the fields that an explanation names are in the entry")

    try machine.asTester("rm", file)
    try machine.asTester("systemctl", "--user", "reload", "a11yd.service")
    #expect(try LineClient(machine.testersSocket).isAnswered())
    #expect(try !machine.property("StatusText").contains("not taken over"))
  }

  @Test func `a service that cannot start is tried until it can, and its socket stays`() throws {
    let state = "/var/lib/a11y-tester/.local/state/a11yd"
    try machine.asTester("systemctl", "--user", "stop", "a11yd.service")
    try machine.asTester("chmod", "0755", state)

    let client = try LineClient(machine.testersSocket)
    while try (Int(machine.property("NRestarts")) ?? 0) < 6 {}

    #expect(try machine.property("ActiveState", of: "a11yd.socket") == "active")
    let exited = ["MESSAGE_ID=98e322203f7a4ed290d09fe03c09fe15", "USER_UNIT=a11yd.service"]
    _ = try machine.entry(exited[0], exited[1], "EXIT_STATUS=77")
    let entry = try machine.entry("MESSAGE_ID=05a896f4c6074716bf1a67b298d1712d")
    #expect(entry["BUS_PATH"] == state)

    try machine.asTester("chmod", "0700", state)
    #expect(try client.isAnswered())
    #expect(try machine.property("ActiveState") == "active")
  }

  @Test func `the user finds start and stop in the journal, with explanations`() throws {
    #expect(try LineClient(machine.testersSocket).isAnswered())
    try machine.asTester("systemctl", "--user", "restart", "a11yd.service")
    let unit = "_SYSTEMD_USER_UNIT=a11yd.service"

    let started = try machine.entry("MESSAGE_ID=44a87ab5f7624aa0b751f74a3807b695", unit)
    let stopped = try machine.entry("MESSAGE_ID=d3039fc4573b4c9295eded73c5488286", unit)
    try machine.run("journalctl", "--sync")
    let explained = try machine.asTester("journalctl", "--user", "--catalog", "--no-pager")

    #expect(started["_UID"] == "\(BootedMachine.tester)")
    #expect(started["PRIORITY"] == "6")
    #expect(stopped["_UID"] == "\(BootedMachine.tester)")
    #expect(explained.contains("Subject: The accessibility notification bus is ready"))
  }

  @Test func `the machine's service has three sockets, each with the rights of its role`() throws {
    let sockets = ["a11yd-publish.socket", "a11yd-read.socket", "a11yd-control.socket"]
    for socket in sockets { try machine.run("systemctl", "start", socket) }

    let modes = try ["publish", "read", "control"].map { name in
      try machine.run("stat", "-c", "%a %U %G", "/run/a11yd/\(name).sock")
    }
    #expect(modes == ["666 root root", "660 root a11y-readers", "600 root root"])
    #expect(try machine.run("readlink", "/run/a11yd/bus.sock") == "/run/a11yd/publish.sock")

    for name in ["publish", "read", "control"] {
      #expect(try LineClient(machine.path("/run/a11yd/\(name).sock")).isAnswered(), "\(name)")
    }
    let show = ["ActiveState", "User"].map { "--property=\($0)" }
    let state = try machine.run("systemctl", "show", "--value", show[0], show[1], "a11yd.service")
    #expect(state.split(separator: "\n").sorted() == ["a11yd", "active"])
    #expect(try machine.run("stat", "-c", "%a %U", "/var/lib/a11yd") == "700 a11yd")
  }

  @Test func `an application cannot read along on the machine's publish socket`() throws {
    try machine.run("systemctl", "start", "a11yd-publish.socket")
    let client = try LineClient(machine.path("/run/a11yd/publish.sock"))

    let reply = try client.ask(#"{"id":1,"op":"stats"}"#)

    let error = reply?["err"] as? [String: Any]
    #expect(error?["code"] as? String == "role.denied")
  }

  @Test func `a mute for a time ends by itself, and leaves nothing behind`() throws {
    #expect(try LineClient(machine.testersSocket).isAnswered())
    let configuration = "/var/lib/a11y-tester/.config"

    let said = try machine.asTester("a11yctl", "mute", "org.x", "for", "1", "s")

    #expect(said.contains("org.x is muted until "))
    let file = machine.path("\(configuration)/a11yd/rules.d/mute-org.x.toml")
    let deadline = Deadline.usual
    while FileManager.default.fileExists(atPath: file) {
      if deadline.isOver { throw Missing("the end of the mute") }
      try machine.run("true")
    }
    while try machine.property("ActiveState", of: "a11yd-unmute.service") == "activating" {
      if deadline.isOver { throw Missing("the end of the service") }
    }
    #expect(try machine.asTester("a11yctl", "mute") == "No app is muted.")
    #expect(try machine.run("find", configuration, "-name", "*unmute*") == "")
  }

  /// The page of metrics at a socket.
  private func metrics(at path: String) throws -> MetricsReading {
    let words = ["-sS", "--fail", "--unix-socket", path, "http://localhost/metrics"]
    return try MetricsReading(Command("/usr/bin/curl", words).output() + "\n")
  }

  @Test func `the session's metrics are the user's alone, and are there when they are asked for`()
    throws
  {
    let socket = "/run/user/\(BootedMachine.tester)/a11yd/metrics.sock"
    try machine.asTester("systemctl", "--user", "stop", "a11yd.service")
    try machine.asTester("systemctl", "--user", "start", "a11yd-metrics.socket")

    #expect(try machine.run("stat", "-c", "%a %U", socket) == "600 a11y-tester")
    #expect(try metrics(at: machine.path(socket))["a11yd_log_degraded"] == 0)
    #expect(try LineClient(machine.testersSocket).isAnswered())

    try machine.asTester("systemctl", "--user", "stop", "a11yd-metrics.socket", "a11yd.service")
    #expect(try LineClient(machine.testersSocket).isAnswered())
  }

  @Test func `the machine's metrics are the readers', and a port of the unit reaches them`() throws
  {
    let port = try EngineSocket.freePort()
    let directory = machine.path("/run/systemd/system/a11yd-metrics.socket.d")
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try "[Socket]\nListenStream=127.0.0.1:\(port)\n".write(
      toFile: directory + "/port.conf",
      atomically: false,
      encoding: .utf8
    )
    try machine.run("systemctl", "daemon-reload")
    try machine.run("systemctl", "stop", "a11yd.service")
    for name in ["publish", "read", "control", "metrics"] {
      try machine.run("systemctl", "start", "a11yd-\(name).socket")
    }

    let socket = "/run/a11yd/metrics.sock"
    #expect(try machine.run("stat", "-c", "%a %U %G", socket) == "660 root a11y-readers")
    #expect(try metrics(at: machine.path(socket))["a11yd_log_degraded"] == 0)
    let words = ["-sS", "--fail", "http://127.0.0.1:\(port)/metrics"]
    let page = try Command("/usr/bin/curl", words).output() + "\n"
    #expect(try MetricsReading(page)["a11yd_log_degraded"] == 0)
    #expect(try LineClient(machine.path("/run/a11yd/read.sock")).isAnswered())

    try machine.run("systemctl", "stop", "a11yd-metrics.socket", "a11yd.service")
    try FileManager.default.removeItem(atPath: directory)
    try machine.run("systemctl", "daemon-reload")
  }

  @Test func `ears and notifications are switched on and off by themselves`() throws {
    let none = try machine.asTester("a11yctl", "setup")
    #expect(
      none.contains("The bus is on") && none.contains("The hearing of other programs is off.")
    )

    let on = try machine.asTester("a11yctl", "setup", "ears", "on")
    #expect(on == "The hearing of other programs is on, now and whenever you log in.")
    #expect(try machine.property("ActiveState", of: "a11y-ears.service") == "active")
    #expect(try machine.property("UnitFileState", of: "a11y-ears.service") == "enabled")
    #expect(try machine.property("ActiveState", of: "a11y-notifications.service") == "inactive")

    _ = try machine.asTester("a11yctl", "setup", "notifications", "on")
    _ = try machine.asTester("a11yctl", "setup", "ears", "off")
    #expect(try machine.property("ActiveState", of: "a11y-ears.service") == "inactive")
    #expect(try machine.property("UnitFileState", of: "a11y-ears.service") == "disabled")
    #expect(try machine.property("ActiveState", of: "a11y-notifications.service") == "active")
    _ = try machine.asTester("a11yctl", "setup", "notifications", "off")
  }

  @Test func `what systemd starts speaks through the door, now and after a login, until it is off`()
    throws
  {
    func address() throws -> String {
      let tell = "printenv SPEECHD_ADDRESS SPEECHD_SOCK || echo none"
      let words = ["systemd-run", "--user", "--wait", "--pipe", "--quiet", "sh", "-c", tell]
      return try machine.testersCommand(words).output()
    }
    let path = "/run/user/\(BootedMachine.tester)/a11yd/ssip.sock"
    let door = "unix_socket:\(path)\n\(path)"
    #expect(try address() == "none")

    _ = try machine.testersCommand(["a11yctl", "setup", "door", "on"]).run()
    #expect(try address() == door)
    #expect(try machine.property("ActiveState", of: "a11y-ssip.socket") == "active")
    try machine.asTester("systemctl", "--user", "daemon-reload")
    #expect(try address() == door)
    try machine.run("systemctl", "restart", "user@\(BootedMachine.tester).service")
    #expect(try address() == door)
    #expect(try machine.property("ActiveState", of: "a11y-ssip.socket") == "active")

    try machine.asTester("a11yctl", "setup", "door", "off")
    try machine.asTester("a11yctl", "setup", "voice", "off")
    #expect(try address() == "none")
    try machine.run("systemctl", "restart", "user@\(BootedMachine.tester).service")
    #expect(try address() == "none")
    #expect(try machine.property("ActiveState", of: "a11y-ssip.socket") == "inactive")
    try machine.asTester("systemctl", "--user", "start", "a11yd.socket")
  }

  @Test func `what is on for everybody can be switched off by a person, and on again`() throws {
    try machine.run("systemctl", "--global", "enable", "a11y-ears.service")
    _ = try machine.asTester("a11yctl", "setup", "ears", "on")

    let off = try machine.asTester("a11yctl", "setup", "ears", "off")
    #expect(off.hasSuffix("is off until you say a11yctl setup ears on."))
    #expect(try machine.property("UnitFileState", of: "a11y-ears.service") == "masked")

    _ = try machine.asTester("a11yctl", "setup", "ears", "on")
    #expect(try machine.property("ActiveState", of: "a11y-ears.service") == "active")
    try machine.run("systemctl", "--global", "disable", "a11y-ears.service")
    _ = try machine.asTester("a11yctl", "setup", "ears", "off")
  }

  @Test func `the doctor finds the units, and ends with 1 where no reader speaks`() throws {
    #expect(try LineClient(machine.testersSocket).isAnswered())

    let said = try machine.testersCommand(["a11yctl", "doctor"]).run()

    #expect(said.status == 1)
    #expect(said.output.hasPrefix("The bus answers at /run/user/4711/a11yd/bus.sock, within "))
    #expect(said.output.contains("\nThe end of the log in /var/lib/a11y-tester/.local/state/a11yd"))
    #expect(
      said.output.contains(
        "\nWrong: No screen reader that speaks is connected, so that nothing can be heard."
          + " Try: a11yctl setup voice on\n"
      )
    )
  }
}
