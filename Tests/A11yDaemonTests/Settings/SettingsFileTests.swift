// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yRules
import A11yToml
import A11yWire
import Foundation
import Testing

@testable import A11yDaemon

@Suite final class SettingsFileTests {
  let home: URL

  init() throws {
    home = FileManager.default.temporaryDirectory.appending(path: "a11yd-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: home) }

  @Test func `the machine's file is read before the user's`() {
    let places = Places(["XDG_CONFIG_HOME": "/home/ada/conf", "HOME": "/home/ada"])

    let files = SettingsFile.candidates(option: nil, places: places)

    #expect(
      files == [
        SettingsFile(path: "\(ConfigHome.ofMachine)/a11yd.toml", isRequired: false),
        SettingsFile(path: "/home/ada/conf/a11yd/a11yd.toml", isRequired: false),
      ]
    )
  }

  @Test func `a service without a home reads the machine's file alone`() {
    #expect(SettingsFile.candidates(option: nil, places: Places([:])).count == 1)
    #expect(SettingsFile.candidates(option: nil, places: Places(["HOME": "home"])).count == 1)
  }

  @Test func `without an option, files that are not there do no harm`() throws {
    let loaded = LoadedSettings(option: nil, places: Places(["HOME": home.path]))

    #expect(!loaded.files.contains { $0.hasPrefix(home.path) })
  }

  @Test func `the user's file is found in dot config`() throws {
    try FileManager.default.createDirectory(
      at: home.appending(path: ".config/a11yd"),
      withIntermediateDirectories: true
    )
    let file = try write("[reader]\ngrace_ms = 1", to: ".config/a11yd/a11yd.toml")

    let loaded = LoadedSettings(option: nil, places: Places(["HOME": home.path]))

    #expect(loaded.files.last == file)
    #expect(loaded.settings.reader.grace == .milliseconds(1))
  }

  @Test func `the option's file alone is read, and no rules but those it names`() throws {
    let file = try write("[limits]\nconnections = 9", to: "mine.toml")

    let loaded = LoadedSettings(option: file, places: Places(["HOME": "/nowhere"]))

    #expect(loaded.files == [file])
    #expect(loaded.settings.limits.connections == 9)
    #expect(loaded.settings.rules.dirs == [])
  }

  @Test func `the option's file must be there`() {
    #expect(
      complaint(home.path + "/none")
        == "\(home.path)/none: cannot be read: No such file or directory (ENOENT)"
    )
  }

  @Test func `a directory is no file`() {
    #expect(complaint(home.path) == "\(home.path): expected a file; this is a directory")
  }

  @Test func `a device is no file`() {
    #expect(complaint("/dev/zero") == "/dev/zero: expected a file; this is a device")
  }

  @Test func `a pipe is no file, and nobody waits for its other end`() {
    let pipe = home.appending(path: "pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)

    #expect(complaint(pipe) == "\(pipe): expected a file; this is a pipe")
  }

  @Test func `a file that is too large is told so`() throws {
    let file = try write(String(repeating: "#", count: 262_145), to: "large.toml")

    #expect(complaint(file) == "\(file): expected at most 262144 bytes; this is larger")
  }

  private func complaint(_ path: String) -> String? {
    let loaded = LoadedSettings(option: path, places: Places([:]))
    #expect(loaded.settings == .withoutRules)
    return loaded.complaints.isEmpty ? nil : Complaints(loaded.complaints).description
  }

  private func write(_ text: String, to name: String) throws -> String {
    let file = home.appending(path: name)
    try text.write(to: file, atomically: false, encoding: .utf8)
    return file.path
  }
}

extension Places {
  init(_ environment: [String: String]) { self.init { environment[$0] } }
}

@Suite struct PlacesTests {
  @Test(arguments: [
    ([:], "/run/a11yd/bus.sock"),
    (["XDG_RUNTIME_DIR": "/run/user/1000"], "/run/user/1000/a11yd/bus.sock"),
    (["XDG_RUNTIME_DIR": "/run/user/1000", "A11YD_SOCKET": "/tmp/a"], "/tmp/a"),
  ])
  func `the socket is where clients look for it`(environment: [String: String], path: String) {
    #expect(Places(environment).socket(option: nil, settings: Settings()) == path)
  }

  @Test(arguments: [
    ([:], nil),
    (["HOME": "/home/ada"], "/home/ada/.local/state/a11yd"),
    (["HOME": "/home/ada", "XDG_STATE_HOME": "/state"], "/state/a11yd"),
    (["HOME": "/home/ada", "STATE_DIRECTORY": "/var/lib/a11yd:/var/lib/b"], "/var/lib/a11yd"),
  ])
  func `the log is where systemd or the user keeps state`(
    environment: [String: String],
    path: String?
  ) {
    #expect(Places(environment).state(option: nil, settings: Settings()) == path)
  }

  @Test func `an option comes before the settings, and they before the environment`() {
    let places = Places(["A11YD_SOCKET": "/env", "STATE_DIRECTORY": "/env"])
    var settings = Settings()
    settings.server = .init(socket: "/set", state: "/set")

    #expect(places.socket(option: nil, settings: settings) == "/set")
    #expect(places.socket(option: "/option", settings: settings) == "/option")
    #expect(places.state(option: nil, settings: settings) == "/set")
    #expect(places.state(option: "/option", settings: settings) == "/option")
  }

  @Test(arguments: [
    ([:], "en"), (["LANG": "C.UTF-8"], "en"), (["LANG": "POSIX"], "en"),
    (["LANG": "de_AT.UTF-8"], "de"), (["LANG": "pt"], "pt"), (["LANG": "ja_JP.UTF-8"], "en"),
    (["LANG": "fr_FR.UTF-8", "LC_MESSAGES": "ru_RU.UTF-8"], "ru"),
    (["LC_MESSAGES": "ru_RU.UTF-8", "LC_ALL": "ar_EG@latin"], "ar"),
    (["LANG": "es_ES.UTF-8", "LC_ALL": ""], "es"), (["LANG": "de_DE.UTF-8", "LC_ALL": "C"], "en"),
  ])
  func `our own words are in the language of the session`(
    environment: [String: String],
    tag: String
  ) {
    #expect(Places(environment).language.rawValue == tag)
  }

  @Test func `rules of a home are left out where there is no home`() {
    let settings = Settings()

    #expect(Places([:]).ruleDirectories(settings) == ["\(ConfigHome.ofMachine)/rules.d"])
    #expect(
      Places(["HOME": "/home/ada"]).ruleDirectories(settings)
        == ["\(ConfigHome.ofMachine)/rules.d", "/home/ada/.config/a11yd/rules.d"]
    )
  }
}
