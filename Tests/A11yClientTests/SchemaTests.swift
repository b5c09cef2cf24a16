// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire
import Testing

@testable import A11yClient

/// The library's words, name by name beside those that the bus knows.
struct SchemaTests {
  private static let element = AppElement(
    "a",
    label: "a",
    value: "a",
    hint: "a",
    traits: [],
    parent: "b"
  )
  .frame(x: 0, y: 0, width: 0, height: 0).index(0).modal().hidden().accessible(true)
  .language("en").actions([]).responds(to: []).role(.tab).checked(.mixed).expanded().required()
  .invalid().place(1, of: 2)

  /// Events that together have every field which the library knows for a type.
  private static func events(_ type: EventType) -> [Event] {
    switch type {
    case .announcement:
      [.announcement("a", priority: .low, kind: .chat, mode: .all, queue: true, final: true)]
    case .layoutChanged: [.layoutChanged(text: "a")]
    case .screenChanged: [.screenChanged(text: "a", modal: true)]
    case .pageScrolled: [.pageScrolled("a", continuous: true)]
    case .focusChanged: [.focusChanged(to: "a")]
    case .voiceOverStatus: [.voiceOverStatus(running: true, reader: "a")]
    case .elements:
      [
        .elements(window: "a", upsert: [element], remove: ["b"]),
        .elements(window: "a", replace: []),
      ]
    case .window: [.window("a", .opened, title: "a", modal: true).lock()]
    case .handled: [.handled(gesture: 1, true)]
    case .busy: [.busy(true, element: "a")]
    case .pause: [.pause]
    case .resume: [.resume]
    case .cancel: [.cancel(1)]
    case .zoomFocusChanged: [.zoomFocusChanged(zoom: "a", frame: [0, 0, 0, 0])]
    case .contentSizeChanged: [.contentSizeChanged("a")]
    case .action: [.action("repeat", app: "a", point: (0, 0), name: "a", of: 1)]
    case .doNotDisturb: [.doNotDisturb(level: 0, for: .zero)]
    case .speech:
      [
        .speech(of: 1, .lost, heard: .zero, mark: "a", reason: "a", by: "a", isEstimated: true),
        .reading(.started),
      ]
    }
  }

  /// With what applies to any event.
  private static func names(_ events: [Event]) -> Set<String> {
    let all = events.map { event in
      event.window("a").element("a").cause(.user).basis(1).key("a").timeToLive(.zero).sensitive()
        .foreground(true).origin("atspi")
    }
    return Set(all.flatMap { JSONValue(json: $0.json)?.members?.map(\.name) ?? [] })
  }

  private func names(_ fields: Fields) -> Set<String> {
    Set(fields.all.map(\.name.description))
  }

  @Test(arguments: EventType.allCases)
  func `an event has the fields that the bus knows`(type: EventType) {
    #expect(Self.names(Self.events(type)).isSuperset(of: names(type.fields)))
  }

  @Test func `an element has the fields that the bus knows`() {
    let fields = Self.element.json.members?.map(\.name) ?? []

    #expect(Set(fields) == names(Schema.record(.element)))
  }

  @Test func `a run has the fields that the bus knows`() {
    var run = SpeechText.Run("a", spell: true, punctuation: true, ipa: "a", lang: "a", pitch: 1)
    (run.pitchRange, run.rate, run.volume, run.voice) = (1, 1, 1, "a")
    (run.capitals, run.utterance, run.mark) = (.icon, .key, "a")

    #expect(Set(run.json.members?.map(\.name) ?? []) == names(Schema.record(.run)))
  }

  @Test func `requests have the fields that the bus knows`() {
    let hello = Introduction(
      app: "a",
      client: "a",
      role: .reader,
      voice: ReaderVoice(rank: 0, reports: true),
      advice: true
    )
    let filter = EntryFilter(types: [], apps: [], windows: [], elements: [], priorities: [])
    let subscription = SubscriptionRequest(
      from: .start,
      filter: filter,
      mode: .latest,
      state: true,
      durable: true
    )

    #expect(Set(hello.fields.map(\.name)).isSuperset(of: names(Schema.request(.hello))))
    #expect(Set(subscription.fields.map(\.name)).isSuperset(of: names(Schema.request(.subscribe))))
    #expect(Set(filter.json.members?.map(\.name) ?? []) == names(Schema.record(.filter)))
  }

  @Test(arguments: [
    (WordSet.acknowledgement, AcknowledgementLevel.allCases.map(\.rawValue)),
    (.gestureResponse, AppElement.Response.allCases.map(\.rawValue)),
    (.mode, AnnouncementMode.allCases.map(\.rawValue)),
    (.priority, AnnouncementPriority.allCases.map(\.rawValue)),
    (.role, ClientRole.allCases.map(\.rawValue)),
    (.speechState, SpeechState.allCases.map(\.rawValue)),
    (.subscriptionMode, SubscriptionRequest.Mode.allCases.map(\.rawValue)),
    (.trait, AppElement.Trait.allCases.map(\.rawValue)),
    (.windowState, WindowState.allCases.map(\.rawValue)),
  ])
  func `words are those that the bus knows`(set: WordSet, words: [String]) {
    #expect(Set(words) == Set(set.words.map(\.description)))
  }
}
