// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yRules
import A11yWire
import Testing

/// The table of defaults in the contract, row by row, in its own numbers.
@Suite struct DefaultsTests {
  /// The settings of a row, in the words of rules; the rest is that of the priority's row.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let facts: Facts
    let settings: String

    init(_ name: String, _ facts: Facts, _ settings: String) {
      testDescription = name
      self.facts = facts
      self.settings = settings
    }

    /// The rule that gives these settings, and the keys of them.
    func rule() throws -> (rule: Rule, keys: [SettingKey]) {
      var rule = Rule(testDescription)
      var keys: [SettingKey] = []
      for pair in settings.split(separator: ", ") {
        let words = pair.split(separator: " ", maxSplits: 1).map(String.init)
        let key = try #require(SettingKey(rawValue: words[0]))
        let items = words[1].split(separator: "|").map { RuleValue.text(String($0)) }
        let value: RuleValue =
          switch words[1] {
          case "true": .flag(true)
          case "false": .flag(false)
          default:
            Int64(words[1]).map { .integer($0) } ?? (items.count > 1 ? .list(items) : items[0])
          }
        try rule.set(key, value)
        keys.append(key)
      }
      return (rule, keys)
    }
  }

  static let rows = [
    Row(
      "layout-changed",
      .of(.layoutChanged),
      """
      key app+window, leading true, debounce 100 ms, max_wait 350 ms, rate 10/s, burst 2, over \
      merge, dedupe none, ttl 5000 ms, mode latest, hold 150 ms
      """
    ),
    Row(
      "screen-changed",
      .of(.screenChanged),
      """
      key app+window, leading true, debounce 200 ms, max_wait 550 ms, rate 2/s, burst 3, over \
      merge, dedupe 550 ms, ttl kept, mode latest, hold false
      """
    ),
    Row(
      "focus",
      .of(.focus).by(.user),
      """
      key type, leading true, debounce 0 ms, max_wait 150 ms, rate none, burst 4, over merge, \
      dedupe none, ttl kept, mode latest, hold false
      """
    ),
    Row(
      "focus",
      .of(.focus).by(.auto),
      """
      key type, leading true, debounce 50 ms, max_wait 150 ms, rate none, burst 4, over merge, \
      dedupe 1000 ms, ttl kept, mode latest, hold false
      """
    ),
    Row(
      "page-scrolled, after a user's action",
      .of(.pageScrolled).by(.user),
      """
      key app+element, leading true, debounce 0 ms, max_wait none, rate 4/s, burst 4, over \
      merge, dedupe 60000 ms, ttl 3000 ms, mode latest, hold false
      """
    ),
    Row(
      "page-scrolled, continuous",
      .of(.pageScrolled).continuous(),
      """
      key app+element, leading false, debounce 500 ms, max_wait 3000 ms, rate none, dedupe \
      none, ttl 3000 ms, mode latest, hold false
      """
    ),
    Row(
      "announcement high",
      .announcement(.high),
      """
      key none, leading true, debounce 0 ms, max_wait none, rate 1/s, burst 3, over defer, \
      dedupe 250 ms, ttl 300000 ms, mode all, hold false
      """
    ),
    Row(
      "announcement default",
      .announcement(.default),
      """
      key none, leading true, debounce 0 ms, max_wait none, rate 1/s, burst 5, over defer, \
      dedupe 1000 ms, ttl 10000 ms, mode all, hold 150 ms
      """
    ),
    Row(
      "announcement low",
      .announcement(.low),
      """
      key none, leading true, debounce 0 ms, max_wait none, rate 1/2 s, burst 5, over merge, \
      dedupe 1000 ms, ttl 45000 ms, mode all, hold 150 ms
      """
    ),
    Row(
      "class status",
      .announcement(.default).of(.status),
      """
      key app+key, leading true, debounce 150 ms, max_wait 1000 ms, rate 1/s, burst 2, over \
      merge, dedupe 1000 ms, ttl 10000 ms, mode latest, hold 150 ms
      """
    ),
    Row(
      "class value",
      .announcement(.default).of(.value).focused(),
      """
      key app+element, leading true, debounce 150 ms, max_wait 1000 ms, rate 1/s, burst 2, \
      over merge, dedupe equal, ttl 5000 ms, mode latest-interrupt, hold false
      """
    ),
    Row(
      "class value",
      .announcement(.default).of(.value),
      """
      key app+element, leading true, debounce 1000 ms, max_wait 1000 ms, rate 1/s, burst 2, \
      over merge, dedupe equal, ttl 5000 ms, mode latest-interrupt, hold false
      """
    ),
    Row(
      "class value",
      .of(.elements).of(.value).focused(),
      """
      key app+element, leading true, debounce 150 ms, max_wait 1000 ms, rate 1/s, burst 2, \
      over merge, dedupe equal, ttl 5000 ms, mode latest-interrupt, hold false
      """
    ),
    Row(
      "class progress",
      .announcement(.low).of(.progress).focused(),
      """
      key app+key|app+element, leading true, debounce 0 ms, max_wait none, rate 1/5 s, burst \
      1, over merge, dedupe equal, ttl 60000 ms, mode current-then-latest, hold 150 ms
      """
    ),
    Row(
      "class progress",
      .announcement(.low).of(.progress),
      """
      key app+key|app+element, leading true, debounce 0 ms, max_wait none, rate 1/10 s, burst \
      1, over merge, dedupe equal, ttl 60000 ms, mode current-then-latest, hold 150 ms
      """
    ),
    Row(
      "class timer",
      .announcement(.low).of(.timer),
      """
      key app+key|app+element, leading false, debounce 0 ms, max_wait none, rate 1/10 s, burst \
      1, over merge, dedupe equal, ttl 15000 ms, mode latest, hold 150 ms
      """
    ),
    Row(
      "class chat",
      .announcement(.low).of(.chat),
      """
      key app+element, leading true, debounce 0 ms, max_wait 5000 ms, rate 1/s, burst 4, over \
      merge, dedupe 1000 ms, ttl 45000 ms, mode all, hold 150 ms
      """
    ),
    Row(
      "storm",
      .of(.storm),
      """
      key app+class, leading false, debounce 250 ms, max_wait 1000 ms, rate none, dedupe none, \
      ttl kept, mode all, hold false
      """
    ),
    Row(
      "voiceover-status",
      .of(.voiceOverStatus),
      """
      key type, leading false, debounce 250 ms, max_wait 1000 ms, rate none, dedupe equal, ttl \
      kept, mode latest, hold false
      """
    ),
    Row(
      "busy",
      .of(.busy),
      """
      key app+element, leading false, debounce 10000 ms, max_wait 10000 ms, rate none, dedupe \
      none, ttl kept, mode latest, hold false
      """
    ),
  ]

  @Test(arguments: rows)
  func `a row of the table is in force`(row: Row) throws {
    let treatment = RuleSet().treatment(of: row.facts)

    let (rule, keys) = try row.rule()
    #expect(treatment.rule == rule.name)
    for key in keys { #expect(treatment.value(key) == rule.settings.value(key), "\(key)") }
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
        "class chat", "class reading", "storm", "voiceover-status", "busy", "assistant",
      ]
    )
  }
}
