// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yModel
import A11yTestKit
import A11yWire
import Testing

/// Siblings: their order by index, and their removal with a parent.
@Suite struct SiblingTests {
  private let app = AppKey(uid: 1_000, app: Name("app"))

  private func ids(_ story: Story) -> [String] {
    var seen: [String] = []
    story.model.eachSight(in: Name("w"), of: app) { seen.append($0.element.text) }
    return seen
  }

  @Test func `wherever indices put siblings, they stand as in a plain list`() {
    var dice = Dice()
    for _ in 0..<40 {
      var story = Story()
      let client = story.join("app")
      var list: [String] = []
      for number in 0..<dice.roll(20...120) {
        var members = ""
        let id: String
        if list.isEmpty || dice.once(in: 2) {
          id = "\(number)"
        } else if dice.once(in: 4) {
          id = dice.pick(list)
          list.removeAll { $0 == id }
          story.elements(client, "w", #""remove":["\#(id)"]"#)
          continue
        } else {
          id = dice.pick(list)
        }
        let isNew = !list.contains(id)
        if isNew { list.append(id) }
        if dice.once(in: 2) {
          let index = dice.roll(0...list.count + 2)
          members = #","index":\#(index)"#
          if list.count > 1 {
            list.removeAll { $0 == id }
            list.insert(id, at: min(index, list.count))
          }
        }
        story.elements(client, "w", #""upsert":[{"id":"\#(id)"\#(members)}]"#)
      }
      #expect(ids(story) == list, "seed \(dice.seed)")
      #expect(restored(replica(story.model, budget: 1)) == story.model, "seed \(dice.seed)")
    }
  }

  /// A window with many siblings below one parent.
  private func wide(_ count: Int) -> (Story, Story.Client) {
    var story = Story()
    let client = story.join("app")
    story.elements(client, "w", #""upsert":[{"id":"p"}]"#)
    for start in stride(from: 0, to: count, by: 1_000) {
      let list = (start..<min(start + 1_000, count)).map { #"{"id":"\#($0)","parent":"p"}"# }
      story.elements(client, "w", #""upsert":[\#(list.joined(separator: ","))]"#)
    }
    return (story, client)
  }

  @Test(.timeLimit(.minutes(hangs)))
  func `a thousand moves to the middle of many siblings are no walk each`() {
    var (story, client) = wide(60_000)
    let clock = ContinuousClock()
    let moves = (0..<1_000).map { #"{"id":"\#($0 * 53)","index":30000}"# }
    // Counting to the middle each time would take thirty million steps.
    let time = clock.measure {
      story.elements(client, "w", #""upsert":[\#(moves.joined(separator: ","))]"#)
    }
    #expect(time < .seconds(2))
    #expect(ids(story).count == 60_001)
  }

  @Test func `children are gone with their parent at once, their memory a little later`() {
    var (story, client) = wide(20_000)
    story.elements(client, "w", #""remove":["p"]"#)

    #expect(story.model.hasDeferredFree)
    #expect(ids(story) == [])
    #expect(story.model.bytes(of: app) == 1)
    #expect(restored(replica(story.model, budget: 1)) == story.model)

    // The same ids come anew, and have nothing of their former elements.
    story.elements(client, "w", #""upsert":[{"id":"7","label":"Seven"},{"id":"q","parent":"7"}]"#)
    #expect(ids(story) == ["7", "q"])
    var model = story.model
    var slices = 0
    while model.hasDeferredFree, slices < 1_000 {
      model.freeDeferred()
      slices += 1
    }
    #expect((4...20).contains(slices))
    #expect(model == story.model)
    story.elements(client, "w", #""upsert":[{"id":"r","parent":"q"},{"id":"p"}]"#)
    #expect(ids(story) == ["7", "q", "r", "p"])
  }

  @Test(.timeLimit(.minutes(hangs)))
  func `a long chain bent into a circle costs no more than its length`() {
    var story = Story()
    let client = story.join("app")
    let count = 40_000
    story.window(client, "w", #""state":"active""#)
    for start in stride(from: 0, to: count, by: 1_000) {
      let list = (start..<start + 1_000).map {
        #"{"id":"\#($0)","parent":\#($0 == 0 ? "null" : #""\#($0 - 1)""#)}"#
      }
      story.elements(client, "w", #""upsert":[\#(list.joined(separator: ","))]"#)
    }
    let before = story.model
    let spot = Model.Spot(app: app, window: Name("w"), element: Name("\(count - 1)"))
    #expect(before.isStop(spot))
    story.elements(client, "w", #""upsert":[{"id":"0","parent":"\#(count - 1)"}]"#)

    let clock = ContinuousClock()
    let time = clock.measure {
      #expect(!story.model.isStop(spot))
      #expect(story.model.stop(at: spot) == nil)
      #expect(story.model.repair(spot, before: before) == nil)
    }
    #expect(time < .seconds(2))
  }
}
