// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit

/// Tells random stories: few names, so that everything happens to the same things.
struct Teller {
  var dice: Dice
  private(set) var story = Story()
  private var clients: [Story.Client] = []

  init(dice: Dice) { self.dice = dice }

  mutating func tell() {
    if dice.once(in: 4) { story.wait(dice.pick([0.1, 1, 2.5, 5, 7])) }
    if clients.isEmpty || dice.once(in: 12) {
      let app = dice.pick(["a", "b", #"\"c\""#])
      let uid = dice.pick([1, 2])
      let isReader = dice.once(in: 3)
      clients.append(story.join(app, uid: uid, reader: isReader))
      if isReader, dice.once(in: 2) { story.listen(clients[clients.count - 1]) }
      return
    }
    let client = dice.pick(clients)
    let window = dice.pick(["v", "w"])
    switch dice.roll(1...30) {
    case 1...3:
      clients.removeAll { $0.conn == client.conn }
      story.leave(client)
    case 4: story.own(#"{"type":"opened"}"#)
    case 5:
      let element = dice.pick(["null", "\"1\"", "\"2\""])
      story.own(
        #"{"type":"focus","app":"\#(client.app)","uid":\#(client.uid),"window":"\#(window)","#
          + #""element":\#(element)}"#
      )
    case 6:
      let name = dice.pick(["", #","reader":"Orca""#])
      story.tell(
        client,
        #"{"type":"voiceover-status","running":\#(dice.pick(["true", "false"]))\#(name)}"#
      )
    case 7: story.tell(client, #"{"type":"do-not-disturb","level":\#(dice.roll(0...100))}"#)
    case 8 where dice.once(in: 4):
      story.tell(client, #"{"type":"announcement","text":"elements"}"#)
    case 8:
      let place = #"{"window":"\#(window)","element":"\#(dice.pick(["1", "2"]))"}"#
      let why = #"{"focus":{"result":"denied","reason":"moved"},"suggestion":\#(place)}"#
      story.own(
        #"{"type":"outcome","of":\#(story.lines.count),"why":\#(why),"app":"\#(client.app)","#
          + #""uid":\#(client.uid)}"#
      )
    case 9:
      let modal = dice.pick(["", #","modal":true"#])
      story.tell(client, #"{"type":"screen-changed"\#(modal),"window":"\#(window)"}"#)
    case 10...14:
      let state = dice.pick(["opened", "active", "active", "inactive", "closed"])
      let title = dice.pick(["", #","title":"T\u0041\"""#, #","redacted":"1-8""#])
      let modal = dice.pick(["", #","modal":true"#, #","modal":false"#])
      story.window(client, window, #""state":"\#(state)"\#(title)\#(modal)"#)
    default: story.elements(client, window, elements())
    }
  }

  private mutating func elements() -> String {
    var members: [String] = []
    if dice.once(in: 2) { members.append(#""upsert":\#(list())"#) }
    if dice.once(in: 4) {
      let ids = (0..<dice.roll(0...2)).map { _ in "\"\(id())\"" }
      members.append(#""remove":[\#(ids.joined(separator: ","))]"#)
    }
    if dice.once(in: 8) || members.isEmpty { members.append(#""replace":\#(list())"#) }
    if dice.once(in: 6) { members.append(#""sensitive":true"#) }
    return members.joined(separator: ",")
  }

  private mutating func list() -> String {
    "[" + (0..<dice.roll(0...5)).map { _ in element() }.joined(separator: ",") + "]"
  }

  private mutating func id() -> String { dice.pick(["1", "2", "3", "4", "5", #"\u0036"#, "é"]) }

  private mutating func element() -> String {
    var members = [#""id":"\#(id())""#]
    func maybe(_ member: String, _ dice: inout Dice) {
      if dice.once(in: 3) { members.append(member) }
    }
    let parent = dice.once(in: 4) ? "null" : "\"\(id())\""
    maybe(#""parent":\#(parent)"#, &dice)
    maybe(#""index":\#(dice.pick(["null", "0", "7"]))"#, &dice)
    for field in ["label", "value", "hint"] {
      maybe(#""\#(field)":\#(dice.pick(["null", "\"\"", #""t\u0065xt\n""#, "\"é🙂\""]))"#, &dice)
    }
    maybe(
      #""traits":\#(dice.pick(["null", "[]", #"["secure"]"#, #"["link","secure","link"]"#]))"#,
      &dice
    )
    maybe(#""frame":\#(dice.pick(["null", "[1,-2,3,4]"]))"#, &dice)
    maybe(#""hidden":\#(dice.pick(["null", "true", "false"]))"#, &dice)
    maybe(#""actions":\#(dice.pick(["null", "[]", #"["a","b\""]"#]))"#, &dice)
    maybe(#""redacted":"\#(dice.pick(["1-8", "9-32", "33+"]))""#, &dice)
    return "{\(members.joined(separator: ","))}"
  }
}
