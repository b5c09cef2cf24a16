// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11ySpeech
import A11yTestKit
import A11yToml
import Testing

@testable import A11ySsip

/// The settings of the door, and the addresses that lead to it or past it.
@Suite struct SettingsTests {
  private func read(_ text: String) -> LoadedCompanionSettings<DoorSettings> {
    LoadedCompanionSettings(text: text, fileName: "ssip.toml")
  }

  @Test func `the shipped file has the defaults of all settings`() throws {
    let kept = KeptText("Config/ssip.toml")
    #expect(try kept.difference(fromDefaultsOf: DoorSettings.self) == nil)
  }

  @Test func `what is set holds, and a mistake is told`() {
    let loaded = read("keep_reading = true\nscreen_readers = [\"Mine\"]\n")
    #expect(loaded.settings.keepsReading)
    #expect(loaded.settings.screenReaders == ["mine"])
    #expect(read("keep_reading = 1\n").complaints.count == 1)
    #expect(read("screen_readers = \"orca\"\n").complaints.count == 1)
    #expect(read("keep = true\n").complaints.count == 1)
  }

  @Test func `kept words are sensitive to nobody`() throws {
    var trial = DoorTrial(hasBus: true, read("keep_reading = true\n").settings)
    let id = trial.visit("orca")
    trial.say("SPEAK", "Tea", ".", from: id)
    #expect(trial.published().last?.event["sensitive"].bool == false)
  }

  @Test(
    arguments: [
      ([:], "/run/speech-dispatcher/speechd.sock"),
      (["SPEECHD_ADDRESS": ""], "/run/speech-dispatcher/speechd.sock"),
      (["SPEECHD_ADDRESS": "unix_socket"], "/run/speech-dispatcher/speechd.sock"),
      (
        ["SPEECHD_ADDRESS": "unix_socket:/run/a11yd/ssip.sock"],
        "/run/speech-dispatcher/speechd.sock"
      ),
      (["SPEECHD_ADDRESS": "unix_socket:/tmp/other.sock"], "/tmp/other.sock"),
      (["SPEECHD_ADDRESS": "unix_socket:/tmp/door.sock"], "/run/speech-dispatcher/speechd.sock"),
    ] as [([String: String], String)]
  )
  func `an address that names the door leads past it`(
    variables: [String: String],
    path: String
  ) throws {
    let address = try SpeechAddress(option: nil, door: "/tmp/door.sock") { name in
      name == "XDG_RUNTIME_DIR" ? "/run" : variables[name]
    }
    #expect(address.path == path)
  }

  @Test func `a command line that leads to the door itself is a mistake`() {
    #expect(throws: CommandLineOptions.Mistake.self) {
      _ = try SpeechAddress(option: "unix_socket:/tmp/d", door: "/tmp/d") { _ in "/run" }
    }
  }
}
