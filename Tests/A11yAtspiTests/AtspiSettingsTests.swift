// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import A11yToml
import Foundation
import Testing

struct AtspiSettingsTests {
  @Test func `the shipped file holds the defaults`() throws {
    let file = URL(filePath: #filePath).appending(path: "../../../Config/atspi.toml")
      .standardizedFileURL
    let text = try String(contentsOf: file, encoding: .utf8)

    let loaded = LoadedCompanionSettings<AtspiSettings>(text: text, fileName: "atspi.toml")

    #expect(loaded.complaints.isEmpty, "\(loaded.complaints)")
    #expect(loaded.settings == AtspiSettings())
    #expect(text.contains("\nms_per_char = ") && text.contains("\nleave_alone = "))
  }
}
