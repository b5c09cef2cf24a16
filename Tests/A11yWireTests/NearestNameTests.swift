// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire
import Testing

@Suite struct NearestNameTests {
  let names = ["segment_bytes", "retain_days", "retain_bytes", "retain_entries", "log"]

  @Test(arguments: [
    ("retain_day", "retain_days"), ("retian_days", "retain_days"), ("RETAIN_DAYS", "retain_days"),
    ("retain-bytes", "retain_bytes"), ("segment_size", "segment_bytes"), ("logs", "log"),
  ])
  func `a misspelt name finds the right one`(written: String, meant: String) {
    #expect(NearestName.to(written, among: names) == meant)
  }

  @Test(arguments: ["colour", "", "x", "reader"])
  func `a text unlike all names finds none`(written: String) {
    #expect(NearestName.to(written, among: names) == nil)
  }

  @Test(.timeLimit(.minutes(hangs)))
  func `a name of a megabyte is found unlike all others at once`() {
    #expect(NearestName.to(String(repeating: "log", count: 400_000), among: names) == nil)
  }
}
