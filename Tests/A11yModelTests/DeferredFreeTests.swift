// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yModel
import A11yWire
import Testing

/// The memory of removed elements is given back a little at a time.
@Suite struct DeferredFreeTests {
  private static let many = 20_000

  /// A model with a window of many elements.
  private func story() -> (Story, Story.Client) {
    var story = Story()
    let app = story.join("mail")
    for start in stride(from: 0, to: Self.many, by: 500) {
      let list = (start..<start + 500).map { #"{"id":"e\#($0)","label":"Label"}"# }
      story.elements(app, "w", #""upsert":[\#(list.joined(separator: ","))]"#)
    }
    return (story, app)
  }

  @Test(arguments: [
    #"{"type":"window","state":"closed","window":"w"}"#,
    #"{"type":"elements","replace":[{"id":"x"}],"window":"w"}"#,
  ])
  func `a large window leaves memory to free, which is gone after some slices`(event: String) {
    var (story, app) = story()
    #expect(!story.model.hasDeferredFree)

    story.tell(app, event)
    var model = story.model
    var slices = 0
    while model.hasDeferredFree, slices < 1_000 {
      model.freeDeferred()
      slices += 1
    }

    #expect((4...20).contains(slices))
    #expect(model == story.model, "such memory says nothing of what is the case")
  }

  @Test func `a small window leaves none`() {
    var story = Story()
    let app = story.join("mail")
    story.elements(app, "w", #""upsert":[{"id":"x"}]"#)
    story.window(app, "w", #""state":"closed""#)

    #expect(!story.model.hasDeferredFree)
  }

  @Test func `a model that only applies entries frees it, too`() {
    var (story, app) = story()
    story.window(app, "w", #""state":"closed""#)
    for _ in 0..<100 where story.model.hasDeferredFree {
      story.window(app, "v", #""state":"opened""#)
    }

    #expect(!story.model.hasDeferredFree)
  }

  @Test func `an app that is removed, and a model that is not used any more, leave some`() {
    var (story, app) = story()
    var other = Model()
    other.demolish(story.model)
    #expect(other.hasDeferredFree)

    story.leave(app)
    story.wait(6)
    let watcher = story.join("watcher")
    story.window(watcher, "v", #""state":"opened""#)
    #expect(story.model.hasDeferredFree)
    #expect(story.model.windowSights.map(\.window.text) == ["v"])
  }
}
