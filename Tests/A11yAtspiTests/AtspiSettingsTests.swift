// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import A11yTestKit
import A11yToml
import Testing

struct AtspiSettingsTests {
  @Test func `the shipped file has the defaults of all settings`() throws {
    let kept = KeptText("Config/atspi.toml")
    #expect(try kept.difference(fromDefaultsOf: AtspiSettings.self) == nil)
  }
}
