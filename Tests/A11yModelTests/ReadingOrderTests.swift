// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yModel
import A11yTestKit
import A11yWire
import Testing

/// The way from one element to the next.
@Suite struct ReadingOrderTests {
  /// An element as the test knows it, to be walked in the plainest way there is.
  private final class Node {
    let id: String
    let accessible: Bool?
    let hidden: Bool
    var children: [Node] = []

    init(_ id: String, accessible: Bool?, hidden: Bool) {
      self.id = id
      self.accessible = accessible
      self.hidden = hidden
    }

    /// The element and all in it, in their order.
    var all: [String] { [id] + children.flatMap(\.all) }

    /// The stops: elements that say so, and those that say nothing and hold no stop.
    var stops: [String] {
      if hidden { return [] }
      let inner = children.flatMap(\.stops)
      return (accessible ?? inner.isEmpty ? [id] : []) + inner
    }
  }

  private func tree(_ dice: inout Dice, of count: Int) -> (roots: [Node], story: Story) {
    var story = Story()
    let app = story.join("app")
    var roots: [Node] = []
    var nodes: [Node] = []
    for number in 0..<count {
      let node = Node(
        "\(number)",
        accessible: dice.pick([nil, nil, nil, true, false, false]),
        hidden: dice.once(in: 8)
      )
      let parent = dice.once(in: 3) || nodes.isEmpty ? nil : dice.pick(nodes)
      if let parent { parent.children.append(node) } else { roots.append(node) }
      nodes.append(node)
      var members = [#""id":"\#(node.id)""#]
      if let parent { members.append(#""parent":"\#(parent.id)""#) }
      if let accessible = node.accessible { members.append(#""accessible":\#(accessible)"#) }
      if node.hidden { members.append(#""hidden":true"#) }
      story.elements(app, "w", #""upsert":[{\#(members.joined(separator: ","))}]"#)
    }
    return (roots, story)
  }

  private let app = AppKey(uid: 1_000, app: Name("app"))

  private func step(_ model: Model, _ step: Model.Step, from id: String?) -> String? {
    model.step(step, from: id.map { Name($0) }, window: Name("w"), app: app)?.element.text
  }

  @Test func `every step goes to the nearest stop, whatever it begins on`() {
    var dice = Dice()
    for _ in 0..<200 {
      let (roots, story) = tree(&dice, of: dice.roll(1...14))
      let all = roots.flatMap(\.all)
      let stops = roots.flatMap(\.stops)
      let places = stops.compactMap { all.firstIndex(of: $0) }

      #expect(step(story.model, .first, from: nil) == stops.first, "seed \(dice.seed)")
      #expect(step(story.model, .last, from: nil) == stops.last, "seed \(dice.seed)")
      for (place, id) in all.enumerated() {
        let next = places.firstIndex { $0 > place }.map { stops[$0] }
        let previous = places.lastIndex { $0 < place }.map { stops[$0] }
        #expect(step(story.model, .next, from: id) == next, "seed \(dice.seed), from \(id)")
        #expect(
          step(story.model, .previous, from: id) == previous,
          "seed \(dice.seed), from \(id)"
        )
        let spot = Model.Spot(app: app, window: Name("w"), element: Name(id))
        #expect(story.model.isStop(spot) == stops.contains(id), "seed \(dice.seed), \(id)")
      }
    }
  }

  @Test func `all elements are seen, in the order in which they stand, with their level`() {
    var dice = Dice()
    let (roots, story) = tree(&dice, of: 40)
    var seen: [String] = []
    story.model.eachSight(in: Name("w"), of: app) { seen.append($0.element.text) }

    #expect(seen == roots.flatMap(\.all), "seed \(dice.seed)")
  }

  @Test func `elements that hang below each other, or below nobody, are seen once`() {
    var story = Story()
    let client = story.join("app")
    story.elements(
      client,
      "w",
      #""upsert":[{"id":"b","parent":"a"},{"id":"a","parent":"b"},{"id":"d","parent":"none"}]"#
    )
    var seen: [String] = []
    story.model.eachSight(in: Name("w"), of: app) { seen.append($0.element.text) }

    #expect(seen.sorted() == ["a", "b", "d"])
    #expect(step(story.model, .next, from: "a") == nil)
    #expect(step(story.model, .previous, from: "b") == nil)
  }

  @Test func `elements below a parent that has not arrived exist and are shown`() {
    var story = Story()
    let client = story.join("app")
    story.elements(
      client,
      "w",
      #""upsert":[{"id":"b","parent":"none"},{"id":"c","parent":"b"}]"#
    )

    let spot = Model.Spot(app: app, window: Name("w"), element: Name("c"))
    #expect(story.model.exists(spot))
    #expect(story.model.isStop(spot))
    #expect(story.model.sight(of: spot)?.isHidden == false)
  }

  @Test func `a hidden cover has no way in it`() {
    for hidden in ["m", "o"] {
      var story = Story()
      let client = story.join("app")
      let outer = #"{"id":"o","hidden":\#(hidden == "o")}"#
      let modal = #"{"id":"m","parent":"o","modal":true,"hidden":\#(hidden == "m")}"#
      story.elements(
        client,
        "w",
        #""upsert":[\#(outer),\#(modal),{"id":"x","parent":"m"},{"id":"y","parent":"m"}]"#
      )
      story.tell(client, #"{"type":"screen-changed","window":"w","element":"x","modal":true}"#)

      #expect(story.model.step(.first, from: nil, window: Name("w"), app: app) == nil)
      #expect(story.model.step(.last, from: nil, window: Name("w"), app: app) == nil)
      #expect(step(story.model, .next, from: "x") == nil)
      #expect(step(story.model, .previous, from: "y") == nil)
    }
  }

  @Test(.timeLimit(.minutes(hangs)))
  func `a cover that hangs below itself has no way in it`() {
    for accessible in ["true", "false", "null"] {
      var story = Story()
      let client = story.join("app")
      let below = #"{"id":"m","modal":true,"parent":"x"},{"id":"x","parent":"m"}"#
      let inner = #"{"id":"y","parent":"x","accessible":\#(accessible)},{"id":"a"}"#
      story.elements(client, "w", #""upsert":[\#(below),\#(inner)]"#)
      story.tell(
        client,
        #"{"type":"screen-changed","window":"w","element":"m","modal":true}"#
      )

      for id in ["a", "m", "x", "y"] {
        #expect(step(story.model, .next, from: id) == nil)
        #expect(step(story.model, .previous, from: id) == nil)
      }
      #expect(story.model.step(.first, from: nil, window: Name("w"), app: app) == nil)
      #expect(story.model.step(.last, from: nil, window: Name("w"), app: app) == nil)
    }
  }

  @Test func `a step from outside of the cover leads into it`() {
    var story = Story()
    let client = story.join("app")
    story.elements(
      client,
      "w",
      #""upsert":[{"id":"a"},{"id":"m","modal":true},{"id":"x","parent":"m"},{"id":"z"}]"#
    )
    story.tell(client, #"{"type":"screen-changed","window":"w","element":"x","modal":true}"#)

    for id in ["a", "x", "z"] {
      #expect(step(story.model, .next, from: id) == (id == "x" ? nil : "x"))
      #expect(step(story.model, .previous, from: id) == (id == "x" ? nil : "x"))
    }
  }

  @Test(arguments: [
    // Elements beside each other, each in the one before, and all saying that they are no stop.
    #"{"id":"N"}"#, #"{"id":"N","parent":"P"}"#, #"{"id":"N","accessible":false}"#,
    #"{"id":"N","parent":"P","accessible":false}"#,
  ])
  func `a hundred thousand elements are walked through in time`(form: String) {
    var story = Story()
    let client = story.join("app")
    let count = 100_000
    for start in stride(from: 0, to: count, by: 1_000) {
      let list = (start..<start + 1_000).map { number in
        form.split(separator: "N", omittingEmptySubsequences: false).joined(separator: "\(number)")
          .split(separator: "P", omittingEmptySubsequences: false)
          .joined(separator: "\(number - 1)")
      }
      story.elements(client, "w", #""upsert":[\#(list.joined(separator: ","))]"#)
    }
    let model = story.model
    let clock = ContinuousClock()
    // At the size of the tree for each step, this would take minutes.
    let time = clock.measure {
      for number in stride(from: 0, to: count, by: 5_000) {
        _ = step(model, .next, from: "\(number)")
        _ = step(model, .previous, from: "\(number)")
      }
    }
    #expect(time < .seconds(20))
  }
}
