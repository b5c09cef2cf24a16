// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire
import Testing

/// Which entries are meant by who wants something forgotten.
@Suite struct SelectionTests {
  private static let mail = Selection(apps: ["mail"], uids: nil, before: nil)

  private func isMeant(
    _ event: String,
    app: String,
    conn: Int,
    by selection: Selection,
    gone: Seq = .none
  ) throws -> Bool {
    let line =
      #"{"seq":9,"time":100,"mono":50,"app":"\#(app)","#
      + #""uid":1000,"conn":\#(conn),"event":\#(event)}"#
    let reader = JSONReader(limit: Limits.answerBytes)
    try reader.read(Array(line.utf8).span)
    return selection.covers(entry: reader.document) { $0 == gone }
  }

  @Test(
    arguments: [
      (["mail"], nil, nil, true), (["files"], nil, nil, false),
      (["files", "mail"], nil, nil, true),
      (nil, [1_000], nil, true), (nil, [1_001], nil, false), (nil, nil, 101, true),
      (nil, nil, 100, false), (["mail"], [1_000], 101, true), (["mail"], [1_000], 100, false),
      (["mail"], [1_001], 101, false), (["files"], [1_000], 101, false),
    ] as [(Set<String>?, Set<Int64>?, Int64?, Bool)]
  )
  func `an entry is meant that all fits which is given`(
    apps: Set<String>?,
    uids: Set<Int64>?,
    before: Int64?,
    isMeant: Bool
  ) throws {
    let selection = Selection(apps: apps, uids: uids, before: before)
    let event = #"{"type":"announcement","text":"a"}"#

    #expect(try self.isMeant(event, app: "mail", conn: 3, by: selection) == isMeant)
  }

  @Test(
    arguments: [
      (#"{"type":"deliver","of":[6,7],"to":3,"speak":[{"text":"a"}]}"#, true),
      (#"{"type":"deliver","of":[6,8],"to":3,"speak":[{"text":"a"}]}"#, false),
      (#"{"type":"silence","of":7,"by":8}"#, true), (#"{"type":"silence","of":8,"by":8}"#, false),
      (#"{"type":"outcome","of":7,"result":"heard"}"#, true),
      (#"{"type":"outcome","of":8,"result":"heard"}"#, false),
      (#"{"type":"focus","app":"mail","window":"w","element":"e","by":8}"#, true),
      (#"{"type":"focus","app":"files","window":"w","element":"e","by":8}"#, false),
      (#"{"type":"client","state":"joined","app":"mail","uid":1000,"conn":3}"#, true),
      (#"{"type":"opened","server":"a11yd"}"#, false), (#"{"type":"closed"}"#, false),
    ]
  )
  func `what the bus has written about an entry goes with it`(event: String, isMeant: Bool) throws {
    let found = try self.isMeant(event, app: "a11yd", conn: 0, by: Self.mail, gone: Seq(7))

    #expect(found == isMeant)
  }
}
