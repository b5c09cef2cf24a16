// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yForward
import A11yTestKit
import A11yToml
import Foundation
import Testing

struct ForwardSettingsTests {
  private func load(_ text: String) -> LoadedCompanionSettings<ForwardSettings> {
    LoadedCompanionSettings(text: text, fileName: "forward.toml")
  }

  @Test func `nothing leaves without settings`() {
    #expect(ForwardSettings().share == .nothing)
    #expect(ForwardSettings().engine == nil)
  }

  @Test func `a type that no entry has is a mistake, since nothing would leave`() throws {
    let loaded = load("[forward]\ntypes = [\"announcement\", \"outcom\"]\n")

    let complaint = try #require(loaded.complaints.first)
    #expect("\(complaint)".contains("such as announcement or outcome; got outcom"))
    #expect(loaded.settings.filter.types == [])
    #expect(load("[forward]\ntypes = [\"outcome\"]\n").settings.filter.types == ["outcome"])
  }

  @Test func `the shipped file has the defaults of all settings`() throws {
    let kept = KeptText("Config/forward.toml")
    #expect(try kept.difference(fromDefaultsOf: ForwardSettings.self) == nil)
  }

  @Test func `every setting of the shipped file is understood`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Config/forward.toml")
    let text = try String(contentsOf: file, encoding: .utf8)
      .replacing(/(?m)^# ([a-z]+ = )/) { String($0.1) }

    let loaded = load(text)

    #expect(loaded.complaints.isEmpty, "\(loaded.complaints)")
    #expect(loaded.settings.engine?.kind == .nats)
    #expect(loaded.settings.machine?.text == "counter-7")
    #expect(loaded.settings.hasPasswords)
    var open = loaded.settings
    open.removePasswords()
    #expect(!open.hasPasswords)
    #expect(loaded.settings.nats.secretFiles.count == 3)
  }

  @Test(
    arguments: [
      "[forward]\nto = \"http://x:1\"", "[forward]\nsend = \"some\"", "[forward]\nmax_rate = -1",
      "[forward]\nmachine = \"a b\"", "[forward]\nother = 1", "[nats]\ntls = 1",
      "[nats]\nreplicas = 9", "[nats]\npasword = \"a\"", "[redis]\nreplicas = -1", "[other]",
      "[redis]\ntls = true", "[forward]\nheartbeat = -1",
    ]
  )
  func `a mistake is named, and costs its setting alone`(text: String) {
    let loaded = load(text)

    #expect(loaded.complaints.count == 1)
    #expect(loaded.settings == ForwardSettings())
  }

  @Test func `a complaint about a password does not repeat it`() {
    let loaded = load("[redis]\npassword = 12345678")

    #expect(loaded.complaints.count == 1)
    #expect(loaded.complaints.allSatisfy { !"\($0)".contains("12345678") })
  }
}
