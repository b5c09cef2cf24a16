// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

@testable import A11yClient
@testable import a11yctl

/// The bus's counters, as a person hears them.
struct StatsWordsTests {
  @Test func `counters are told in sentences`() throws {
    let difference = try KeptText("Tests/A11yctlTests/stats.txt").difference { _, stats in
      StatsWords.lines(try #require(JSONValue(json: stats)))
    }
    #expect(difference == nil)
  }
}
