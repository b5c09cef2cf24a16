// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yModel
import A11yRules
import A11yWire
import Testing

@testable import A11yPresenter

/// The order of the stages.
@Suite struct PipelineTests {
  @Test func `an event passes seven stages and then comes into the queue`() {
    var order: [Stage] = []
    var stage: Stage? = .admission
    while let here = stage {
      order.append(here)
      stage = here.next
    }
    #expect(order == [.admission, .busy, .storm, .hold, .coalesce, .duplicates, .rate])
    #expect(order == Stage.allCases)
  }
}
