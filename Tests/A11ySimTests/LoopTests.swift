// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import a11y_sim

/// The long loops of `a11y-sim`, in samples that a developer can wait for.
@Suite struct LoopTests {
  private func findings(_ body: (inout FaultLoop.Tally) -> Void) -> [String] {
    var tally = FaultLoop.Tally(name: "sample")
    body(&tally)
    return tally.found
  }

  @Test func `a call to the disk that fails costs nothing that was promised`() {
    #expect(findings { FaultLoop.failEachCall(every: 83, &$0) } == [])
  }

  @Test func `an end at any call costs nothing that was promised`() {
    #expect(findings { FaultLoop.endAfterEachCall(every: 83, &$0) } == [])
  }

  @Test func `a segment that was cut, filled up, moved or replaced costs what it held`() {
    #expect(findings { FaultLoop.truncate(every: 1_021, &$0) } == [])
  }

  @Test func `a bit that flips costs one entry at most`() {
    #expect(findings { FaultLoop.flip(every: 15_013, &$0) } == [])
  }
}
