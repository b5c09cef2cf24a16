// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yRules
import Testing

@testable import A11yDaemon

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
