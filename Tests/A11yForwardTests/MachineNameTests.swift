// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yForward
import Testing

struct MachineNameTests {
  @Test func `a name has letters, digits, hyphens and underscores`() {
    #expect(MachineName("Counter_7-b")?.subject == "a11yd.Counter_7-b.log")
    #expect(MachineName("Counter_7-b")?.key == "a11yd:{Counter_7-b}:log")
    for text in ["", "a.b", "a b", "a*", "ü", "{a}", String(repeating: "a", count: 65)] {
      #expect(MachineName(text) == nil, "\(text)")
    }
  }

  @Test func `the log of a user bears his number, once`() {
    let name = MachineName("kiosk")?.ofUser(1_000)

    #expect(name?.text == "kiosk-1000")
    #expect(name?.ofUser(1_000) == name)
    #expect(MachineName(String(repeating: "a", count: 62))?.ofUser(1_000) == nil)
  }
}
