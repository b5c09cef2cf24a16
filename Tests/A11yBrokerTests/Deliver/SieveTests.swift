// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire
import Testing

@testable import A11yBroker

/// The verdicts of a sieve are those of the filters, from whatever line on.
@Suite struct SieveTests {
  private static let filters = [
    Filter(types: ["announcement"], apps: nil), Filter(types: nil, apps: ["mail"]),
    Filter(types: ["window"], apps: ["chat", "files"]), Filter(types: [], apps: nil),
  ]

  private static let lines = (1...12).map { seq in
    let app = ["mail", "chat", "files"][seq % 3]
    let type = ["announcement", "window"][seq / 3 % 2]
    return #"{"seq":\#(seq),"time":1,"mono":1,"app":"\#(app)","uid":1,"conn":1,"#
      + #""event":{"type":"\#(type)"},"crc":"00000000"}"#
  }

  private let reader = JSONReader(limit: 4_096)
  private let text = Array((Self.lines + ["no JSON"]).joined(separator: "\n").utf8) + [10]

  @Test func `each line is judged as its filter judges it, from every line on`() throws {
    var sieve = Sieve()
    for filter in Self.filters { sieve.add(filter) }
    sieve.judge(text.span, with: reader)

    var start = 0
    for first in Self.lines.indices {
      for filter in Self.filters {
        var verdicts = try #require(sieve.verdicts(of: filter, from: start))
        for line in Self.lines[first...] {
          try reader.read(Array(line.utf8).span)
          let isMeant = filter.admits(reader.document)
          let verdict = verdicts.next()
          #expect(verdict == isMeant, "\(line)")
        }
        let behind = verdicts.next()
        #expect(!behind, "no filter lets a line pass that is no JSON")
      }
      start += Self.lines[first].utf8.count + 1
    }
  }

  @Test func `a filter that was not added, and a place within a line, have no verdicts`() {
    var sieve = Sieve()
    sieve.add(Self.filters[0])
    sieve.judge(text.span, with: reader)

    #expect(sieve.verdicts(of: Self.filters[1], from: 0) == nil)
    #expect(sieve.verdicts(of: Self.filters[0], from: 3) == nil)
    sieve.clear()
    #expect(sieve.verdicts(of: Self.filters[0], from: 0) == nil)
  }

  @Test func `sixty-four filters are judged together, and equal ones count once`() {
    var sieve = Sieve()
    for _ in 0..<2 { for number in 0..<65 { sieve.add(Filter(types: nil, apps: ["\(number)"])) } }
    sieve.judge(text.span, with: reader)

    #expect(sieve.verdicts(of: Filter(types: nil, apps: ["63"]), from: 0) != nil)
    #expect(sieve.verdicts(of: Filter(types: nil, apps: ["64"]), from: 0) == nil)
  }
}
