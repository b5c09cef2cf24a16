// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

/// The judge of an engine's copy sees each kind of difference.
struct LogLifeTests {
  private static let opened = #"{"seq":1,"event":{"type":"opened","epoch":"e1"}}"#

  private static func line(_ seq: Int) -> String { #"{"seq":\#(seq),"event":{"type":"value"}}"# }

  private static func gap(_ from: Int, _ to: Int) -> String {
    #"{"mark":"gap","from":\#(from),"to":\#(to),"reason":"retention"}"#
  }

  private func difference(_ stored: [String], epoch: String = "e1", from start: Int = 1) -> String?
  {
    var life = LogLife()
    life.keep([Self.opened] + (2...9).map(Self.line))
    if start > 1 { life.keep((start...9).map(Self.line)) }
    return life.difference(stored.map { .init(line: $0, epoch: epoch, id: "") })
  }

  @Test func `a whole copy has no difference`() {
    let all = [Self.opened] + (2...9).map(Self.line)

    #expect(difference(all) == nil)
    #expect(difference([Self.opened, Self.gap(2, 5)] + (6...9).map(Self.line), from: 6) == nil)
  }

  @Test func `each kind of difference is told`() {
    let lines = (2...9).map(Self.line)
    #expect(difference([Self.opened] + lines.dropLast()) == "9 is missing, and all behind it")
    #expect(difference([Self.opened] + lines.dropFirst()) == "2 is missing before 3")
    #expect(difference([Self.opened, lines[0]] + lines) == "2 stands behind 2")
    #expect(difference([Self.opened] + lines, epoch: "e2") == "1 has the epoch e2")
    #expect(
      difference([Self.opened] + lines + [Self.line(10)])
        == "10 is there, and was forgotten or never in the log"
    )
    #expect(
      difference([Self.opened, Self.gap(2, 5)] + lines[4...], from: 5)
        == "5 is on the disk, and in a gap"
    )
    #expect(
      difference([Self.opened, #"{"seq":2,"event":{"type":"other"}}"#] + lines[1...])
        == "2 is another line"
    )
  }
}
