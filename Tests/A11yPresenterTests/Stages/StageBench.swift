// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yModel
import A11yRules
import A11yTestKit
import A11yWire

@testable import A11yPresenter

/// Items, a queue and a clock, for a stage alone.
struct StageBench {
  var waiting = WaitingQueue()
  var now = Instant(microseconds: 0)
  var rules = RuleSet.defaults
  private var last: Int64 = 0

  /// The surroundings of the newest item.
  var context: Context { Context(now: now, cause: Seq(last), rules: rules.table) }

  /// The next item of the log, an announcement of the app `mail` unless it is changed.
  mutating func item(
    _ kind: Item.Kind = .announcement,
    _ text: String = "text",
    _ change: (inout Facts) -> Void = { _ in },
    key: String? = nil
  ) -> Item {
    last += 1
    var facts = Facts.blank
    facts.uid = 1_000
    facts.app = Name("mail")
    facts.topic = Self.topic(of: kind)
    change(&facts)
    let treatment = rules.treatment(of: facts)
    var item = Item(
      kind,
      seq: Seq(last),
      mono: now,
      facts: facts,
      treatment: treatment,
      text: SpokenText(text),
      mode: treatment.mode.value
    )
    item.key = key.map(Name.init)
    return item
  }

  private static func topic(of kind: Item.Kind) -> Topic {
    switch kind {
    case .announcement, .digest, .reading: .announcement
    case .layout: .layoutChanged
    case .screen: .screenChanged
    case .page: .pageScrolled
    case .status: .voiceOverStatus
    case .focus, .report: .focus
    case .value: .elements
    }
  }

  /// The instant of an alarm.
  func due(_ alarm: Alarms.Alarm) -> Instant? { waiting.alarms.due(of: alarm) }

  /// The events that a stage has let go of, and how, as words; they are gone afterwards.
  mutating func departures() -> [String] {
    var words: [String] = []
    var index = 0
    while let departure = waiting.takeDeparture(at: index) {
      index += 1
      switch departure {
      case .on(let item, let stage):
        words.append("\(item.seq.number) on \(stage.next.map { "\($0)" } ?? "queue")")
      case .ends(let item, let ending):
        let by = ending.by.map { " by \($0.number)" } ?? ""
        words.append("\(item.seq.number) \(ending.result)\(by) \(ending.rule)")
      }
    }
    waiting.forgetDepartures(from: 0)
    return words
  }
}

extension Passage {
  /// "on", "waits", or the end and the rule.
  var words: String {
    switch self {
    case .on: "on"
    case .waits: "waits"
    case .ends(_, let ending): "\(ending.result) \(ending.rule)"
    }
  }

  var item: Item? {
    if case .on(let item) = self { item } else { nil }
  }
}
