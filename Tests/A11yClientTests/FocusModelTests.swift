// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

@testable import A11yClient

/// The model of focus and windows that a client makes from entries.
@Suite struct FocusModelTests {
  private let lines = [
    own(1, #"{"type":"client","state":"joined","app":"mail","uid":1000,"conn":1}"#),
    Says.entry(
      2,
      app: "mail",
      event: #"{"type":"window","state":"active","title":"Inbox","window":"w"}"#
    ),
    Says.entry(
      3,
      app: "mail",
      event: #"{"type":"elements","upsert":[{"id":"box","label":"Box"},"#
        + #"{"id":"open","parent":"box","label":"Say \"hi\"","traits":["button"],"#
        + #""frame":[1,2,3,4]},{"id":"secret","parent":"box","hidden":true}],"window":"w"}"#
    ),
    own(
      4,
      #"{"type":"focus","app":"mail","uid":1000,"window":"w","element":"open","#
        + #""by":2,"reason":"window"}"#
    ),
  ]

  private static func own(_ seq: Int, _ event: String) -> String {
    #"{"seq":\#(seq),"time":1,"mono":\#(seq),"app":"a11yd","#
      + #""uid":0,"conn":0,"event":\#(event),"crc":"00000000"}"#
  }

  private func entry(_ line: String) throws -> Entry {
    var session = Session()
    session.hear(line)
    guard case .item(.entry(let entry))? = try session.next() else {
      throw HandDriven.Surprise([line])
    }
    return entry
  }

  private func model(of lines: [String]) throws -> FocusModel {
    var model = FocusModel()
    for line in lines { model.apply(.entry(try entry(line))) }
    return model
  }

  @Test func `in the beginning there is nothing`() {
    #expect(FocusModel().focus == nil)
    #expect(FocusModel().windows == [])
    #expect(FocusModel().elements(of: "w", app: "mail") == [])
  }

  @Test func `entries tell of windows, elements and the focus`() throws {
    let model = try model(of: lines)

    #expect(model.focus?.seq == 4)
    #expect(model.focus?.element == "open")
    #expect(model.windows.map(\.title) == ["Inbox"])
    #expect(model.windows.map(\.state) == [.active])
    let elements = model.elements(of: "w", app: "mail")
    #expect(elements.map(\.id) == ["box", "open", "secret"])
    #expect(elements.map(\.level) == [0, 1, 1])
    #expect(elements.map(\.isStop) == [false, true, false])
    #expect(elements.map(\.isHidden) == [false, false, true])
    #expect(elements[1].label == #"Say "hi""#)
    #expect(elements[1].traits == [.button])
    #expect(elements[1].frame == [1, 2, 3, 4])
    #expect(model.element("open", of: "w", app: "mail") == elements[1])
  }

  private let denial = own(
    5,
    #"{"type":"outcome","of":3,"result":"denied","rule":"focus protection","#
      + #""why":{"reason":"moved","#
      + #""focus":{"result":"denied","reason":"moved"},"#
      + #""suggestion":{"window":"v","element":"ok"}},"#
      + #""app":"mail","uid":1000,"window":"v","element":"ok"}"#
  )

  @Test func `where the focus was not moved is suggested`() throws {
    let model = try model(of: lines + [denial])

    #expect(
      model.suggestion
        == FocusModel.Suggestion(
          seq: 3,
          app: "mail",
          window: "v",
          element: "ok",
          reason: "moved"
        )
    )
  }

  @Test func `a state that suggests a place is gone on from like the entry that said so`() throws {
    let folded = try model(of: lines + [denial])
    let text =
      #"{"cursor":"\#(Says.epoch):5","focus":{"seq":4,"app":"mail","window":"w","element":"open","#
      + #""suggestion":{"seq":3,"app":"mail","window":"v","element":"ok","reason":"moved"}},"#
      + #""windows":["#
      + #"{"app":"mail","window":"w","state":"active","title":null,"modal":false,"focus":"open"}]}"#
    var model = FocusModel(state: try #require(JSONValue(json: text)))
    #expect(model.suggestion == folded.suggestion)

    model.apply(
      try entry(
        Self.own(
          6,
          #"{"type":"focus","app":"mail","uid":1000,"window":"v","element":"ok","#
            + #""by":3,"reason":"user"}"#
        )
      )
    )
    #expect(model.suggestion == nil)
  }

  @Test func `it begins with a state, and goes on from there`() throws {
    let text =
      #"{"cursor":"\#(Says.epoch):4","focus":{"seq":4,"app":"mail","window":"w","element":"open","#
      + #""suggestion":null},"#
      + #""windows":[{"app":"mail","window":"w","state":"active","title":"Inbox","#
      + #""modal":false,"focus":"open"}],"#
      + #""reader":{"running":false,"name":null,"conn":null},"do_not_disturb":0,"pending":[]}"#
    let state = try #require(JSONValue(json: text))
    let cursor = try #require(LogCursor("\(Says.epoch):4"))
    var model = FocusModel()
    model.apply(.mark(.state(state, at: cursor)))
    #expect(model.focus == (try self.model(of: lines)).focus)
    #expect(model.windows == (try self.model(of: lines)).windows)

    model.apply(
      try entry(
        Says.entry(5, app: "mail", event: #"{"type":"window","state":"closed","window":"w"}"#)
      )
    )
    #expect(model.windows == [])
  }
}
