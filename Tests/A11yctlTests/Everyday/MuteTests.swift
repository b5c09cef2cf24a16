// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Foundation
import Testing

@testable import a11yctl

/// The files of mutes, and the units that end them.
struct MuteTests {
  private let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  private static let end: Int64 = 1_795_266_307_000_000

  private var shelf: MuteShelf { MuteShelf(directory: scratch("config/a11yd/rules.d")) }

  @Test(arguments: [
    "org.example.Chat", "a/b", "..", "Täglich Neues", #"with "quotes" and \"#, "org.*", "100%",
    "\u{202E}evil", "-",
  ])
  func `a mute is read as it was written, whatever the app is called`(app: String) throws {
    for mute in [
      Mute(app: app, end: nil, letsUrgent: false),
      Mute(app: app, end: Self.end, letsUrgent: true),
    ] {
      try shelf.put(mute)

      #expect(try shelf.all() == [mute])
      #expect(try scratch.mode("config/a11yd/rules.d/\(mute.fileName)") == 0o600)
      #expect(!mute.fileName.contains("/") && !mute.fileName.contains("\u{202E}"))
      try shelf.remove(mute)
      #expect(try shelf.all() == [])
    }
  }

  @Test func `the directory of a first mute is private`() throws {
    try shelf.put(Mute(app: "org.x", end: nil, letsUrgent: false))

    #expect(try scratch.mode("config/a11yd/rules.d") == 0o700)
    #expect(try Directory.names(shelf.directory) == ["mute-org.x.toml"])
  }

  @Test func `an app has one mute, and the later one counts`() throws {
    try shelf.put(Mute(app: "org.x", end: Self.end, letsUrgent: true))
    try shelf.put(Mute(app: "org.x", end: nil, letsUrgent: false))

    #expect(try shelf.all() == [Mute(app: "org.x", end: nil, letsUrgent: false)])
  }

  @Test func `files of other rules are no mutes`() throws {
    try shelf.put(Mute(app: "org.x", end: nil, letsUrgent: false))
    for (name, text) in [
      ("quiet.toml", "[[rule]]\nname = \"mute\"\napp = \"a\"\npresent = \"log\"\n"),
      ("mute-mine.toml", "[[rule]]\nname = \"mine\"\napp = \"a\"\npresent = \"log\"\n"),
      ("mute-broken.toml", "[[rule]\n"),
    ] {
      try Data(text.utf8).write(to: URL(filePath: "\(shelf.directory)/\(name)"))
    }

    #expect(try shelf.all().map(\.app) == ["org.x"])
  }

  @Test func `the end of a mute is a whole second, never an earlier one`() {
    let mute = Mute(app: "org.x", end: Self.end + 1, letsUrgent: false)

    #expect(mute.end == Self.end + 1_000_000)
  }

  // MARK: The timer

  /// A systemctl that notes its commands.
  private final class Manager {
    var commands: [String] = []
    var isThere = true

    var units: UnitManager {
      UnitManager(isThere: { _ in false }) { words in
        self.commands.append(words.joined(separator: " "))
        return OtherProgram.Answer(status: self.isThere ? 0 : 1, output: "")
      }
    }
  }

  private let manager = Manager()

  private func timer(socket: String? = nil) throws -> UnmuteTimer {
    try UnmuteTimer(
      in: { $0 == "XDG_CONFIG_HOME" ? scratch("config") : nil },
      manager.units,
      program: "/opt/a 100%/$a11yctl",
      socket: socket
    )
  }

  private func text(_ unit: String) throws -> String {
    try String(contentsOfFile: scratch("config/systemd/user/\(unit)"), encoding: .utf8)
  }

  @Test func `all ends stand in one timer, which survives a restart`() throws {
    let ends = [Self.end, nil, Self.end - 60_000_000]
    let mutes = ends.enumerated().map { Mute(app: "\($0)", end: $1, letsUrgent: false) }

    #expect(try timer(socket: "/s").arrange(for: mutes))

    let timer = try text("a11yd-unmute.timer")
    #expect(
      timer.contains(
        "OnCalendar=2026-11-21 13:04:07 UTC\nOnCalendar=2026-11-21 13:05:07 UTC\n"
      )
    )
    #expect(timer.contains("\nPersistent=yes\n"))
    #expect(
      try text("a11yd-unmute.service").contains(
        #"ExecStart="/opt/a 100%%/$$a11yctl" "unmute" "--due" "--socket" "/s""#
      )
    )
    #expect(
      manager.commands == [
        "--user daemon-reload", "--user enable --quiet a11yd-unmute.timer",
        "--user restart a11yd-unmute.timer",
      ]
    )
  }

  @Test func `without a mute that ends there is no timer`() throws {
    _ = try timer().arrange(for: [Mute(app: "a", end: Self.end, letsUrgent: false)])
    manager.commands = []

    #expect(try timer().arrange(for: [Mute(app: "a", end: nil, letsUrgent: false)]))

    #expect(try Directory.names(scratch("config/systemd/user")) == [])
    #expect(manager.commands.first == "--user disable --quiet --now a11yd-unmute.timer")
    manager.commands = []
    #expect(try timer().arrange(for: []))
    #expect(manager.commands == [])
  }

  @Test func `a timer that no systemd takes is told`() throws {
    manager.isThere = false

    #expect(try !timer().arrange(for: [Mute(app: "a", end: Self.end, letsUrgent: false)]))
  }

  // MARK: Words

  @Test func `a mute is told with its end`() {
    let now = Self.end - 3_600_000_000
    let at = ClockTime.local(Self.end)
    let mutes = [
      Mute(app: "a", end: nil, letsUrgent: false), Mute(app: "b", end: Self.end, letsUrgent: true),
      Mute(app: "c", end: now - 1_000_000, letsUrgent: false),
    ]

    let day = ClockTime.day(now) == ClockTime.day(Self.end) ? "" : "\(ClockTime.day(Self.end)) "
    #expect(
      MuteWords.list(mutes, now: now) == [
        "a is muted until you say a11yctl unmute.",
        "b is muted until \(day)\(at), but for urgent announcements.",
        "c is still muted, though its time is over. Try: a11yctl unmute --due",
      ]
    )
    #expect(MuteWords.list([], now: now) == ["No app is muted."])
  }
}
