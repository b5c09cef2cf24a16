// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yToml
import Testing

@testable import A11yDaemon

/// Files that no person writes, in the place of settings.
@Suite struct HostileSettingsTests {
  @Test func `a hundred mistakes are told, and nothing behind them is read`() {
    let strangers = (0..<5_000).map { "stranger\($0) = 1\n" }.joined()

    let loaded = load("[log]\n\(strangers)[rules]\ndirs = []\n")

    #expect(loaded.complaints.count == 100)
    #expect(loaded.settings == Settings())
  }

  @Test func `a file that is too large is given up as a whole`() {
    let loaded = load("[log]\nretain_days = 1\n" + String(repeating: "a.", count: 40) + "a = 1\n")

    #expect(
      loaded.complaints.map(\.words) == ["expected at most 32 parts of a key; there are more"]
    )
    #expect(loaded.settings == Settings())
  }

  @Test func `a large file is not read again for each line that is no TOML`() {
    let comment = "# \(String(repeating: "x", count: 200_000))\n"

    #expect(load("?\n[log]\n?\nretain_days = 1\n").complaints.count == 2)
    #expect(load("?\n[log]\n?\nretain_days = 1\n\(comment)").complaints.count == 1)
  }

  @Test func `a complaint quotes no endless text`() {
    let loaded = load("[log]\nretain_days = '\(String(repeating: "x", count: 20_000))'\n")

    #expect(loaded.complaints.allSatisfy { $0.words.unicodeScalars.count < 1_100 })
    #expect(loaded.complaints.count == 1)
  }

  private func load(_ text: String) -> LoadedSettings {
    LoadedSettings(text: Array(text.utf8), fileName: "a11yd.toml", over: Settings())
  }
}
