// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPlay
import A11yRules
import A11yTestKit
import Testing

/// What a script comes to.
@Suite struct SimulateTests {
  @Test func `a log begins with what a start writes`() throws {
    let log = try Played([], reader: .none)

    #expect(log.types == ["opened", "rules"])
    #expect(log.exitCode == 0)
  }
}
