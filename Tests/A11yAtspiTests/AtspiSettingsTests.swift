// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import A11yTestKit
import A11yToml
import Testing

struct AtspiSettingsTests {
  @Test func `the shipped file has the defaults of all settings`() throws {
    let kept = KeptText("Config/atspi.toml")
    let settings = AtspiSettings.all.map { ($0.table, $0.key, $0.show(AtspiSettings())) }
    let difference = try kept.difference(settings: settings)
    #expect(difference == nil)

    let loaded = LoadedCompanionSettings<AtspiSettings>(text: kept.text, fileName: "atspi.toml")

    #expect(loaded.complaints.isEmpty, "\(loaded.complaints)")
    #expect(loaded.settings == AtspiSettings())
  }
}
