// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPlay
import A11yRules
import A11yTestKit
import A11yWire
import Testing

/// The rest of a log that is cut off.
@Suite struct EpilogueTests {
  @Test func `what a rate holds back comes at its time, with nobody waiting`() throws {
    let hello = #"{"mono":0,"conn":"A","hello":{"app":"backup"}}"#
    func progress(_ percent: Int, at mono: Int) -> String {
      #"{"mono":\#(mono),"conn":"A","event":{"type":"announcement","text":"\#(percent) %","#
        + #""class":"progress","key":"k"}}"#
    }
    let log = try Played([hello, progress(10, at: 0), progress(20, at: 1_000_000)])
    // The log as it is when the second value has just come.
    let cut = try #require(log.lines.firstIndex { $0.contains("20 %") })

    var epilogue = Epilogue()
    for line in log.lines[...cut] { epilogue.follow(Array(line.utf8).span) }
    var rest: [String] = []
    let isKnown = epilogue.runOn { rest.append($0.string) }

    #expect(isKnown)
    let delivery = try #require(try rest.first { $0.contains("\"deliver\"") }.map { try JSON($0) })
    #expect(delivery["seq"].integer == Int64(cut + 2))
    #expect(delivery["mono"].integer == 10_000_000)
    #expect(
      rest.contains { $0.contains(#""state":"finished""#) && $0.contains(#""app":"reader""#) }
    )
    #expect(rest.last?.contains(#""result":"heard""#) == true)
    for line in rest { #expect(LineChecksum.verified(Array(line.utf8).span) != nil) }
  }

  @Test func `a log that does not follow from its events has no epilogue`() throws {
    let log = try Played([
      #"{"mono":0,"conn":"A","event":{"type":"announcement","text":"One"}}"#,
      #"{"mono":9000000,"conn":"A","event":{"type":"announcement","text":"Two"}}"#,
    ])
    var epilogue = Epilogue()
    for line in log.lines where !line.contains("\"deliver\"") {
      epilogue.follow(Array(line.utf8).span)
    }

    #expect(!epilogue.runOn { _ in })
  }
}
