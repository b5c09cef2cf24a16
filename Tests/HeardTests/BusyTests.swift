// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yRules
import A11yTestKit
import Testing

/// Events of an element that is busy.
@Suite struct BusyTests {
  private func busy(_ isBusy: Bool) -> JSON {
    event("busy", ["element": "list", "busy": .bool(isBusy)])
  }

  @Test func `announcements wait in their order and none is lost`() throws {
    var script = Script()
    script.at(0, busy(true))
    for number in 0..<4 { script.at(100, "\(number)", says("N\(number)", ["element": "list"])) }
    script.at(3_000, busy(false))

    let heard = try script.run()

    #expect(heard.spoken.map { $0.split(separator: " ")[1].prefix(2) } == ["N0", "N1", "N2", "N3"])
    #expect(heard.count("heard") == 4)
  }

  @Test func `values and layouts are the latest`() throws {
    var script = Script()
    script.at(0, busy(true))
    script.at(100, "v1", tells("value", "1%", ["element": "list"]))
    script.at(110, "said", says("Said", ["element": "list"]))
    script.at(120, "v2", tells("value", "2%", ["element": "list"]))
    script.at(130, "k1", says("K1", ["element": "list", "key": "k", "mode": "latest"]))
    script.at(140, "k2", says("K2", ["element": "list", "key": "k", "mode": "latest"]))
    script.at(3_000, busy(false))

    let heard = try script.run()

    #expect(heard.fate("v1") == "coalesced by v2")
    #expect(heard.fate("k1") == "coalesced by k2")
    #expect(heard.result("said") == "heard")
    #expect(heard.result("v2") == "heard")
  }

  @Test func `more than a queue can hold are counted`() throws {
    var script = Script()
    script.at(0, busy(true))
    for number in 0..<100 {
      script.at(100, "\(number)", says("N\(number)", ["element": "list", "ttl_ms": 600_000]))
    }
    script.at(3_000, busy(false))

    let heard = try script.run()

    #expect(heard.count("heard") + heard.count("summarised") == 100)
    #expect(heard.counts.reduce(0, +) == Int64(heard.count("summarised")))
  }
}
