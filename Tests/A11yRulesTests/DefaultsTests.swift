// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yRules
import A11yWire
import Testing

/// The table of defaults in the contract, row by row, in its own numbers (milliseconds).
@Suite struct DefaultsTests {
  /// The settings of a row; a dash stands for those of the priority's row.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let facts: Facts
    let key: [KeyParts]
    let leading: Bool
    let debounce: Int64
    let maxWait: Int64
    let rate: Rate?
    let burst: Int64?
    let over: Excess?
    let dedupe: Treatment.Dedupe?
    let ttl: Int64?
    let mode: Mode
    let hold: Int64

    var testDescription: String { name }
  }

  private static func per(_ seconds: Int64, _ count: Int64) -> Rate {
    Rate(count: count, period: .seconds(seconds))
  }

  private static func milliseconds(_ count: Int64) -> Treatment.Dedupe {
    .time(.milliseconds(count))
  }

  private static func announcement(_ priority: Priority) -> Facts { .announcement(priority) }

  static let rows: [Row] = [
    Row(
      name: "layout-changed",
      facts: .of(.layoutChanged),
      key: [[.app, .window]],
      leading: true,
      debounce: 100,
      maxWait: 350,
      rate: per(1, 10),
      burst: 2,
      over: .merge,
      dedupe: nil,
      ttl: 5_000,
      mode: .latest,
      hold: 150
    ),
    Row(
      name: "screen-changed",
      facts: .of(.screenChanged),
      key: [[.app, .window]],
      leading: true,
      debounce: 200,
      maxWait: 550,
      rate: per(1, 2),
      burst: 3,
      over: .merge,
      dedupe: milliseconds(550),
      ttl: nil,
      mode: .latest,
      hold: 0
    ),
    Row(
      name: "focus",
      facts: .of(.focus).by(.user),
      key: [.type],
      leading: true,
      debounce: 0,
      maxWait: 150,
      rate: nil,
      burst: 4,
      over: .merge,
      dedupe: nil,
      ttl: nil,
      mode: .latest,
      hold: 0
    ),
    Row(
      name: "focus",
      facts: .of(.focus).by(.auto),
      key: [.type],
      leading: true,
      debounce: 50,
      maxWait: 150,
      rate: nil,
      burst: 4,
      over: .merge,
      dedupe: milliseconds(1_000),
      ttl: nil,
      mode: .latest,
      hold: 0
    ),
    Row(
      name: "page-scrolled, after a user's action",
      facts: .of(.pageScrolled).by(.user),
      key: [[.app, .element]],
      leading: true,
      debounce: 0,
      maxWait: 0,
      rate: per(1, 4),
      burst: 4,
      over: .merge,
      dedupe: milliseconds(60_000),
      ttl: 3_000,
      mode: .latest,
      hold: 0
    ),
    Row(
      name: "page-scrolled, continuous",
      facts: .of(.pageScrolled).continuous(),
      key: [[.app, .element]],
      leading: false,
      debounce: 500,
      maxWait: 3_000,
      rate: nil,
      burst: nil,
      over: nil,
      dedupe: nil,
      ttl: 3_000,
      mode: .latest,
      hold: 0
    ),
    Row(
      name: "announcement high",
      facts: announcement(.high),
      key: [],
      leading: true,
      debounce: 0,
      maxWait: 0,
      rate: per(1, 1),
      burst: 3,
      over: .defer,
      dedupe: milliseconds(250),
      ttl: 300_000,
      mode: .all,
      hold: 0
    ),
    Row(
      name: "announcement default",
      facts: announcement(.default),
      key: [],
      leading: true,
      debounce: 0,
      maxWait: 0,
      rate: per(1, 1),
      burst: 5,
      over: .defer,
      dedupe: milliseconds(1_000),
      ttl: 10_000,
      mode: .all,
      hold: 150
    ),
    Row(
      name: "announcement low",
      facts: announcement(.low),
      key: [],
      leading: true,
      debounce: 0,
      maxWait: 0,
      rate: per(2, 1),
      burst: 5,
      over: .merge,
      dedupe: milliseconds(1_000),
      ttl: 45_000,
      mode: .all,
      hold: 150
    ),
    Row(
      name: "class status",
      facts: announcement(.default).of(.status),
      key: [[.app, .key]],
      leading: true,
      debounce: 150,
      maxWait: 1_000,
      rate: per(1, 1),
      burst: 2,
      over: .merge,
      dedupe: milliseconds(1_000),
      ttl: 10_000,
      mode: .latest,
      hold: 150
    ),
    Row(
      name: "class value",
      facts: announcement(.default).of(.value).focused(),
      key: [[.app, .element]],
      leading: true,
      debounce: 150,
      maxWait: 1_000,
      rate: per(1, 1),
      burst: 2,
      over: .merge,
      dedupe: .whileEqual,
      ttl: 5_000,
      mode: .latestInterrupt,
      hold: 0
    ),
    Row(
      name: "class value",
      facts: announcement(.default).of(.value),
      key: [[.app, .element]],
      leading: true,
      debounce: 1_000,
      maxWait: 1_000,
      rate: per(1, 1),
      burst: 2,
      over: .merge,
      dedupe: .whileEqual,
      ttl: 5_000,
      mode: .latestInterrupt,
      hold: 0
    ),
    Row(
      name: "class value",
      facts: .of(.elements).of(.value).focused(),
      key: [[.app, .element]],
      leading: true,
      debounce: 150,
      maxWait: 1_000,
      rate: per(1, 1),
      burst: 2,
      over: .merge,
      dedupe: .whileEqual,
      ttl: 5_000,
      mode: .latestInterrupt,
      hold: 0
    ),
    Row(
      name: "class progress",
      facts: announcement(.low).of(.progress).focused(),
      key: [[.app, .key], [.app, .element]],
      leading: true,
      debounce: 0,
      maxWait: 0,
      rate: per(5, 1),
      burst: 1,
      over: .merge,
      dedupe: .whileEqual,
      ttl: 60_000,
      mode: .currentThenLatest,
      hold: 150
    ),
    Row(
      name: "class progress",
      facts: announcement(.low).of(.progress),
      key: [[.app, .key], [.app, .element]],
      leading: true,
      debounce: 0,
      maxWait: 0,
      rate: per(10, 1),
      burst: 1,
      over: .merge,
      dedupe: .whileEqual,
      ttl: 60_000,
      mode: .currentThenLatest,
      hold: 150
    ),
    Row(
      name: "class timer",
      facts: announcement(.low).of(.timer),
      key: [[.app, .key], [.app, .element]],
      leading: false,
      debounce: 0,
      maxWait: 0,
      rate: per(10, 1),
      burst: 1,
      over: .merge,
      dedupe: .whileEqual,
      ttl: 15_000,
      mode: .latest,
      hold: 150
    ),
    Row(
      name: "class chat",
      facts: announcement(.low).of(.chat),
      key: [[.app, .element]],
      leading: true,
      debounce: 0,
      maxWait: 5_000,
      rate: per(1, 1),
      burst: 4,
      over: .merge,
      dedupe: milliseconds(1_000),
      ttl: 45_000,
      mode: .all,
      hold: 150
    ),
    Row(
      name: "storm",
      facts: .of(.storm),
      key: [[.app, .class]],
      leading: false,
      debounce: 250,
      maxWait: 1_000,
      rate: nil,
      burst: nil,
      over: nil,
      dedupe: nil,
      ttl: nil,
      mode: .all,
      hold: 0
    ),
    Row(
      name: "voiceover-status",
      facts: .of(.voiceOverStatus),
      key: [.type],
      leading: false,
      debounce: 250,
      maxWait: 1_000,
      rate: nil,
      burst: nil,
      over: nil,
      dedupe: .whileEqual,
      ttl: nil,
      mode: .latest,
      hold: 0
    ),
    Row(
      name: "busy",
      facts: .of(.busy),
      key: [[.app, .element]],
      leading: false,
      debounce: 10_000,
      maxWait: 10_000,
      rate: nil,
      burst: nil,
      over: nil,
      dedupe: nil,
      ttl: nil,
      mode: .latest,
      hold: 0
    ),
  ]

  @Test(arguments: rows)
  func `a row of the table is in force`(row: Row) {
    let treatment = RuleSet().treatment(of: row.facts)

    #expect(treatment.rule == row.name)
    #expect(treatment.key.value == row.key)
    #expect(treatment.leading.value == row.leading)
    #expect(treatment.debounce.value == .milliseconds(row.debounce))
    #expect(treatment.maxWait.value == .milliseconds(row.maxWait))
    #expect(treatment.rate.value == row.rate)
    if let burst = row.burst { #expect(treatment.burst.value == burst) }
    if let over = row.over { #expect(treatment.over.value == over) }
    #expect(treatment.dedupe.value == row.dedupe)
    #expect(treatment.ttl.value == row.ttl.map { .milliseconds($0) })
    #expect(treatment.mode.value == row.mode)
    #expect(treatment.hold.value == .milliseconds(row.hold))
    #expect(treatment.maxChars.value == 4_000)
    #expect(treatment.priority.value == nil)
    #expect(treatment.present.value == .speech)
    #expect(!treatment.onlyIfUser.value)
  }

  @Test func `a class lies over the priority setting by setting`() {
    let treatment = RuleSet().treatment(of: .announcement(.default).of(.progress))

    #expect(treatment.debounce == .init(.zero, rule: "announcement default"))
    #expect(treatment.hold == .init(.milliseconds(150), rule: "announcement default"))
    #expect(treatment.ttl == .init(.seconds(60), rule: "class progress"))
    #expect(treatment.over == .init(.merge, rule: "class progress"))
    #expect(treatment.present == .init(.speech, rule: "built in"))
  }

  @Test(arguments: SpeechClass.known)
  func `a high announcement is in no class`(speechClass: SpeechClass) {
    let rules = RuleSet()

    let treatment = rules.treatment(of: .announcement(.high).of(speechClass))

    #expect(treatment === rules.treatment(of: .announcement(.high)))
  }

  @Test(arguments: [SpeechClass.message, .hint, .other("alert")])
  func `classes without a row are treated by their priority`(speechClass: SpeechClass) {
    let rules = RuleSet()

    let treatment = rules.treatment(of: .announcement(.low).of(speechClass))

    #expect(treatment === rules.treatment(of: .announcement(.low)))
  }

  @Test func `the names of the table are those of the rules, in its order`() {
    var names: [String] = []
    for rule in RuleSet().rules where names.last != rule.name { names.append(rule.name) }

    #expect(
      names == [
        "layout-changed", "screen-changed", "focus", "page-scrolled, after a user's action",
        "page-scrolled, continuous", "announcement high", "announcement default",
        "announcement low", "class status", "class value", "class progress", "class timer",
        "class chat", "storm", "voiceover-status", "busy",
      ]
    )
  }
}
