// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import A11yBraille
import A11yForward
import A11ySpeech
import A11ySsip
import A11yTestKit
import A11yToml
import Foundation
import Testing

/// Files of settings as earlier versions have shipped them, held against this one.
@Suite(.timeLimit(.minutes(hangs)))
struct ReleasedSettingsTests {
  @Test(arguments: Released.listed)
  func `its files of settings are good`(version: String) throws {
    let released = try Released(version)
    let files = try released.settings()
    #expect(files.count > 5)
    for file in files {
      // Keys and tables without a default stand in comments.
      let text = try String(contentsOf: file, encoding: .utf8)
        .replacing(/(?m)^# (?=[a-z_]+ = |\[)/, with: "")
      try Data(text.utf8).write(to: file)
      #expect(try mistakes(in: file) == [], "\(file.lastPathComponent)")
    }
  }

  private func mistakes(in file: URL) throws -> [String] {
    switch file.lastPathComponent {
    case "a11yd.toml": try answer(DaemonProcess.program, ["--check-config", "--config", file.path])
    case "default-rules.toml": try answer(LogFiles.tool, ["rules", "check", file.path])
    case "speech.toml": complaints(VoiceSettings.self, file)
    case "braille.toml": complaints(BrailleSettings.self, file)
    case "atspi.toml": complaints(AtspiSettings.self, file)
    case "ssip.toml": complaints(DoorSettings.self, file)
    case "forward.toml": complaints(ForwardSettings.self, file)
    case let name: ["nobody reads \(name)"]
    }
  }

  private func answer(_ program: String, _ words: [String]) throws -> [String] {
    let (status, output) = try Command(program, words).run()
    return status == 0 ? [] : [output]
  }

  private func complaints<Settings: CompanionSettings>(_: Settings.Type, _ file: URL) -> [String] {
    LoadedCompanionSettings<Settings>(name: "", option: file.path).complaints.map(\.description)
  }

  @Test(arguments: Released.listed)
  func `a default that has changed stands in the changelog`(version: String) throws {
    let changelog = try String(contentsOfFile: CClients.source("CHANGELOG.md"), encoding: .utf8)
    let released = try Released(version)
    var count = 0
    for file in try released.settings()
    where file.lastPathComponent != "default-rules.toml" {
      let now = try defaults(CClients.source("Config/\(file.lastPathComponent)"))
      for (key, value) in try defaults(file.path) where now[key] != nil {
        count += 1
        #expect(now[key] == value || changelog.contains(key), "\(key) was \(value)")
      }
    }
    #expect(count > 30)
  }

  /// The defaults that a shipped file tells, each by its table and key.
  private func defaults(_ path: String) throws -> [String: String] {
    var (table, found) = ("", [String: String]())
    for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
      if let heading = line.wholeMatch(of: /\[(\w+)\]/) { table = "\(heading.1)." }
      if let pair = line.wholeMatch(of: /(\w+) = (.+)/) { found["\(table)\(pair.1)"] = "\(pair.2)" }
    }
    return found
  }
}
