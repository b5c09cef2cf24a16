// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

@testable import a11y_sim

@Suite struct SimulationTests {
  private func run(seed: UInt64, canary: Canary? = nil) -> Divergence? {
    let trace = Trace(isKept: false, isPrinted: false)
    return SimRun(seed: seed, steps: 200, trace: trace, canary: canary).run()
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `a run with misfortunes keeps every promise`(seed: UInt64) {
    let divergence = run(seed: seed)

    #expect(divergence == nil, "seed \(seed)")
  }

  @Test(arguments: Canary.allCases)
  func `a fault of the harness itself is found`(canary: Canary) {
    let found = (1...200 as ClosedRange<UInt64>).contains { seed in
      run(seed: seed, canary: canary) != nil && run(seed: seed) == nil
    }

    #expect(found)
  }

  @Test func `the same seed is the same run`() {
    let traces = (0..<2).map { _ in
      let trace = Trace(isKept: true, isPrinted: false)
      _ = SimRun(seed: 3, steps: 150, trace: trace, canary: nil).run()
      return trace.lines
    }

    #expect(traces[0] == traces[1])
    #expect(traces[0].count > 150)
  }
}
