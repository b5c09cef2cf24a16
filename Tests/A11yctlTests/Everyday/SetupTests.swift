// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Testing

@testable import a11yctl

/// Switching the programs around the bus, with a systemd that only notes what it is told.
struct SetupTests {
  /// The units of a user, and the commands that were given for them.
  private final class Manager {
    var units: [String: (active: String, file: String)]
    var commands: [[String]] = []
    /// The state of a unit that is started.
    var started = "active"
    /// Whether the administrator has switched all of them on.
    var isForAll = false
    var isThere = true

    init(_ units: [String: (active: String, file: String)]) { self.units = units }

    func answer(_ words: [String]) -> OtherProgram.Answer? {
      guard isThere else { return OtherProgram.Answer(status: 1, output: "No medium found\n") }
      let words = Array(words.dropFirst())
      if words.first == "show" {
        guard let unit = words.last.flatMap({ units[$0] }) else { return nil }
        let text = "ActiveState=\(unit.active)\nUnitFileState=\(unit.file)\n"
        return OtherProgram.Answer(status: 0, output: text)
      }
      commands.append(words)
      for name in words.dropFirst() where units[name] != nil {
        switch words.first {
        case "enable": units[name] = (started, "enabled")
        case "disable": units[name] = ("inactive", isForAll ? "enabled" : "disabled")
        case "mask": units[name]?.file = "masked"
        case "unmask": units[name]?.file = "disabled"
        default: break
        }
      }
      return OtherProgram.Answer(status: 0, output: "")
    }
  }

  private static let off = (active: "inactive", file: "disabled")
  private static let on = (active: "active", file: "enabled")

  private func setup(
    _ manager: Manager,
    programs: [String] = ["apt-get", "speech-dispatcher"],
    environment: [String: String] = ["USER": "ada", "XDG_SESSION_TYPE": "wayland"],
    files: [String] = []
  ) -> Setup {
    Setup(
      facts: MachineFacts(
        environment: { environment[$0] },
        isThere: files.contains,
        isInstalled: programs.contains,
        units: UnitManager(
          isThere: { path in manager.units.keys.contains { path.hasSuffix("/user/\($0)") } },
          systemctl: manager.answer
        )
      )
    )
  }

  /// The lines of the command, and how it ended.
  private func say(_ words: [String], _ setup: Setup) throws -> (lines: [String], end: Failure?) {
    var lines: [String] = []
    let output = Output(to: { bytes in
      lines += String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
      return .written
    })
    do throws(Failure) {
      try SetupCommand(words).change(by: setup, output)
      try output.flush()
      return (lines, nil)
    } catch {
      return (lines, error)
    }
  }

  @Test func `switching on starts the bus and the unit, now and at each login`() throws {
    let manager = Manager(["a11y-speech.service": Self.off, "a11yd.socket": Self.off])

    let (lines, end) = try say(["voice", "on"], setup(manager))

    #expect(lines == ["The voice is on, now and whenever you log in."])
    #expect(end == nil)
    #expect(manager.commands == [["enable", "--now", "a11yd.socket", "a11y-speech.service"]])
  }

  @Test func `switching off ends the unit and leaves the bus alone`() throws {
    let manager = Manager(["a11y-ears.service": Self.on, "a11yd.socket": Self.on])

    let (lines, end) = try say(["ears", "off"], setup(manager))

    #expect(
      lines == ["The hearing of other programs is off until you say a11yctl setup ears on."]
    )
    #expect(end == nil)
    #expect(manager.commands == [["disable", "--now", "a11y-ears.service"]])
  }

  @Test func `what is on for everybody stays away for the person, and comes back`() throws {
    let manager = Manager(["a11y-notifications.service": Self.on, "a11yd.socket": Self.on])
    manager.isForAll = true

    _ = try say(["notifications", "off"], setup(manager))
    #expect(manager.commands.last == ["mask", "a11y-notifications.service"])

    _ = try say(["notifications", "on"], setup(manager))
    #expect(manager.commands.dropLast().last == ["unmask", "a11y-notifications.service"])
    #expect(manager.units["a11y-notifications.service"]?.active == "active")
  }

  @Test func `a missing package, a unit that does not run and a session that ends are told`() throws
  {
    let units = ["a11y-speech.service": Self.off, "a11y-ears.service": Self.off]
    let manager = Manager(units)

    let lacking = try say(["voice", "on"], setup(manager, programs: ["apt-get"]))
    #expect(
      lacking.lines.last == "The program speech-dispatcher is missing."
        + " Try: sudo apt-get install speech-dispatcher"
    )
    #expect(lacking.end?.code == .found)

    manager.started = "failed"
    let failing = try say(["ears", "on"], setup(manager))
    #expect(
      failing.lines == [
        "The hearing of other programs is switched on, but does not run.",
        "Its own words about that are in the journal."
          + " Try: systemctl --user status a11y-ears.service",
      ]
    )
    #expect(failing.end?.code == .found)

    manager.started = "active"
    let remote = try say(["ears", "on"], setup(manager, environment: ["USER": "ada"]))
    #expect(remote.lines.last?.hasSuffix("try: loginctl enable-linger") == true)
    #expect(remote.end == nil)
    let linger = ["/var/lib/systemd/linger/ada"]
    let lasting = try say(
      ["ears", "on"],
      setup(manager, environment: ["USER": "ada"], files: linger)
    )
    #expect(lasting.lines.count == 1)
  }

  @Test func `without the unit or without a systemd nothing is switched`() throws {
    let manager = Manager(["a11y-ears.service": Self.off])

    let missing = try say(["braille", "on"], setup(manager))
    #expect(missing.end?.code == .unreachable)
    #expect(missing.end?.words?.hasPrefix("The braille display is not installed: ") == true)

    manager.isThere = false
    let silent = try say(["ears", "on"], setup(manager))
    #expect(silent.end?.words?.hasPrefix("No systemd of this user answers") == true)
    #expect(manager.commands.isEmpty)
  }

  @Test func `without words it tells what is on`() throws {
    let manager = Manager([
      "a11yd.socket": Self.on, "a11y-speech.service": Self.on, "a11y-ears.service": Self.off,
      "a11y-mouth.service": ("failed", "disabled"),
      "a11y-notifications.service": ("active", "disabled"),
    ])

    #expect(
      try say([], setup(manager)).lines == [
        "The bus is on.", "The voice is on.",
        "Speech through Orca has failed. Try: a11yctl setup orca on",
        "The hearing of other programs is off.",
        "The hearing of notifications is on, and does not start by itself at the next login."
          + " Try: a11yctl setup notifications on",
        "The braille display is not installed.",
        "The door for speech-dispatcher's programs is not installed.",
        "To switch, name it with on or off, as in: a11yctl setup voice on",
      ]
    )
    manager.isThere = false
    #expect(
      try say([], setup(manager)).lines.first
        == "The bus is installed; no systemd of this user answers."
    )
  }

  @Test func `the door has programs look for it, and takes that back`() throws {
    let directory = try ScratchDirectory()
    let manager = Manager([
      "a11y-ssip.socket": Self.off, "a11y-speech.service": Self.off, "a11yd.socket": Self.off,
    ])
    let variables = [
      "XDG_CONFIG_HOME": directory.path, "XDG_RUNTIME_DIR": "/run/user/7",
      "XDG_SESSION_TYPE": "wayland",
    ]
    let file = directory("environment.d/60-a11yd-door.conf")
    let path = "/run/user/7/a11yd/ssip.sock"

    let on = try say(["door", "on"], setup(manager, environment: variables))
    #expect(on.end == nil)
    #expect(on.lines.last?.contains("orca --replace") == true)
    let text = String(decoding: try File.read(file, limit: 1_024), as: UTF8.self)
    let place = "${XDG_RUNTIME_DIR}/a11yd/ssip.sock"
    #expect(text.hasSuffix("SPEECHD_ADDRESS=unix_socket:\(place)\nSPEECHD_SOCK=\(place)\n"))
    #expect(
      manager.commands == [
        ["set-environment", "SPEECHD_ADDRESS=unix_socket:\(path)", "SPEECHD_SOCK=\(path)"],
        ["enable", "--now", "a11yd.socket", "a11y-ssip.socket"],
        ["enable", "--now", "a11y-speech.service"],
      ]
    )

    manager.commands = []
    let off = try say(["door", "off"], setup(manager, environment: variables))
    #expect(off.end == nil)
    #expect(throws: File.Unreadable.self) { try File.read(file, limit: 1_024) }
    #expect(
      manager.commands == [
        ["unset-environment", "SPEECHD_ADDRESS", "SPEECHD_SOCK"],
        ["disable", "--now", "a11y-ssip.socket"], ["stop", "a11y-ssip.service"],
      ]
    )
    #expect(try say(["door", "off"], setup(manager, environment: variables)).end == nil)
  }

  @Test func `it tells of assistants that are installed whether they tell the bus`() throws {
    var facts = setup(
      Manager([:]),
      programs: ["claude", "gemini"],
      environment: ["HOME": "/home/ada"]
    ).facts
    facts.content = { path in
      let settings = #"{"hooks":{"Stop":[{"hooks":[{"command":"a11yctl hook claude-code"}]}]}}"#
      return path == "/home/ada/.claude/settings.json" ? settings : nil
    }

    let lines = try say([], Setup(facts: facts)).lines
    #expect(
      lines.dropLast().suffix(2) == [
        "Claude Code tells the bus what it wants and when it is done.",
        "Gemini is installed, and tells the bus nothing. Try: a11yctl hook --help",
      ]
    )
    #expect(!lines.contains { $0.contains("Codex") })
  }

  @Test(arguments: [
    (
      ["voise", "on"],
      "setup expects one of voice, orca, ears, notifications, braille, door; got voise"
    ),
    (["voice", "onn"], "setup expects one of on, off; got onn; did you mean on?"),
    (["voice"], "on or off is expected behind voice."),
    (["voice", "on", "now"], "now is not expected here."),
  ])
  func `wrong words are told with the right ones`(words: [String], beginning: String) throws {
    let end = try say(words, setup(Manager([:]))).end

    #expect(end?.code == .usage)
    #expect(end?.words?.hasPrefix(beginning) == true, "\(end?.words ?? "")")
  }
}
