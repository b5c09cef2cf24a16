// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

/// Three machines and a Redis cluster, among faults that a seed chooses.
@Suite(.timeLimit(.minutes(hangs)), .fleet, .redis)
struct FleetClusterFaultTests {
  @Test func `all that the machines have is in a Redis cluster behind any faults`() throws {
    try FleetFaultTests.play(RedisCluster(isLinked: true), Dice())
  }
}
