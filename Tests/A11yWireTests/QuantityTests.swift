// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import A11yWire

@Suite struct QuantityTests {
  @Test(arguments: [
    ("0 s", 0), ("1us", 1), ("250 ms", 250_000), ("0.1 s", 100_000), ("1.000001 s", 1_000_001),
    ("5 min", 300_000_000), ("24h", 86_400_000_000), ("7 d", 604_800_000_000), ("007 s", 7_000_000),
  ])
  func `a duration is exact`(text: String, microseconds: Int64) {
    #expect(Quantity.duration(text) == .microseconds(microseconds))
  }

  @Test(arguments: [
    "", " ", "5", "s", "-1 s", "+1 s", "1  s", " 1 s", "1 s ", "1. s", ".5 s", "1,5 s", "1e3 s",
    "1 S",
    "0.5 us", "1.0000000001 s", "9223372036854775807 d", "99999999999999999999999999 us", "１ s",
  ])
  func `a text that is not quite a duration is none`(text: String) {
    #expect(Quantity.duration(text) == nil)
  }

  @Test(arguments: [
    ("1 B", 1), ("16 MiB", 16_777_216), ("0.5 KiB", 512), ("1.5GB", 1_500_000_000), ("1 kB", 1000),
  ])
  func `a size is exact`(text: String, bytes: Int64) {
    #expect(Quantity.bytes(text) == bytes)
  }

  @Test(arguments: ["0.3 KiB", "0.5 B", "1 kb", "1 M", "8589934592 GiB"])
  func `a text that is not quite a size is none`(text: String) {
    #expect(Quantity.bytes(text) == nil)
  }
}
