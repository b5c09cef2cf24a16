// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yRules
import A11yTestKit
import A11yToml
import A11yWire
import Testing

/// Rules as people write them, and what they are told where that is none.
@Suite struct RulesReadingTests {
  private func read(_ text: String) throws(Complaints) -> [Rule] {
    try Rule.read(text: Array(text.utf8), fileName: "a.toml")
  }

  private func complaints(_ text: String) -> [String] {
    do throws(Complaints) {
      _ = try read(text)
      return []
    } catch {
      return error.all.map(\.description)
    }
  }

  @Test func `each key is read, a value or a list`() throws {
    let rules = try read(
      """
      [[rule]]
      name = "all"
      type = ["announcement", "busy"]
      class = "my-own"
      app = "org.*"
      window = ["a", "b"]
      element = "c"
      trait = ["button", "link"]
      cause = "user"
      foreground = true
      focused = false
      continuous = true
      text = "*failed*"
      priority = ["low", "high"]
      key = ["app+key", "app + element"]
      leading = false
      debounce = 20
      max_wait = "none"
      rate = "1/10 s"
      burst = 7
      over = "demote"
      dedupe = "equal"
      ttl = "kept"
      mode = "latest-interrupt"
      set.priority = "default"
      present = "sound"
      only_if_user = true
      hold = true
      max_chars = 100
      """
    )

    var rule = Rule("all")
    rule.matchers.types = [.announcement, .busy]
    rule.matchers.classes = ["my-own"]
    rule.matchers.apps = [Pattern("org.*")]
    rule.matchers.windows = [Pattern("a"), Pattern("b")]
    rule.matchers.elements = [Pattern("c")]
    rule.matchers.priorities = [.low, .high]
    rule.matchers.traits = 0b11
    rule.matchers.causes = [.user]
    rule.matchers.isForeground = true
    rule.matchers.isFocused = false
    rule.matchers.isContinuous = true
    rule.matchers.texts = [Pattern("*failed*")]
    rule.settings.key = [[.app, .key], [.app, .element]]
    rule.settings.leading = false
    rule.settings.debounce = .milliseconds(20)
    rule.settings.maxWait = .zero
    rule.settings.rate = Rate(count: 1, period: .seconds(10))
    rule.settings.burst = 7
    rule.settings.over = .demote
    rule.settings.dedupe = .some(.whileEqual)
    rule.settings.ttl = .some(nil)
    rule.settings.mode = .latestInterrupt
    rule.settings.priority = .default
    rule.settings.present = .sound
    rule.settings.onlyIfUser = true
    rule.settings.hold = .milliseconds(150)
    rule.settings.maxChars = 100
    rule.place = Rule.Place(file: "a.toml", line: 1, column: 1)
    #expect(rules == [rule])
  }

  @Test(arguments: [
    ("key = \"\"", RuleSettings.with { $0.key = [] }),
    ("key = \"none\"", .with { $0.key = [] }),
    ("key = \"key+class+type\"", .with { $0.key = [[.type, .class, .key]] }),
    ("rate = \"none\"", .with { $0.rate = .some(nil) }),
    ("rate = \"10/s\"", .with { $0.rate = Rate(count: 10, period: .seconds(1)) }),
    ("rate = \"2/1.5 s\"", .with { $0.rate = Rate(count: 2, period: .milliseconds(1_500)) }),
    ("dedupe = \"none\"", .with { $0.dedupe = .some(nil) }),
    ("dedupe = 250", .with { $0.dedupe = .time(.milliseconds(250)) }),
    ("ttl = 0", .with { $0.ttl = .some(.zero) }),
    ("ttl = \"24 h\"", .with { $0.ttl = Times.longest }),
    ("hold = false", .with { $0.hold = .zero }),
    ("hold = \"1 s\"", .with { $0.hold = .seconds(1) }),
    ("max_wait = 0", .with { $0.maxWait = .zero }),
  ])
  func `a setting may be said in more than one way`(
    line: String,
    settings: RuleSettings
  ) throws {
    #expect(try read("[[rule]]\nname = \"a\"\n\(line)").map(\.settings) == [settings])
  }

  @Test func `a priority beside other settings is a matcher, alone it is what is set`() throws {
    let rules = try read(
      """
      [[rule]]
      name = "matcher"
      priority = "low"
      ttl = "1 s"
      [[rule]]
      name = "setting"
      app = "a"
      priority = "low"
      [[rule]]
      name = "both"
      priority = "high"
      set.priority = "low"
      [[rule]]
      name = "said"
      match.priority = "high"
      set.priority = "low"
      set.mode = "all"
      """
    )

    #expect(rules.map(\.matchers.priorities) == [[.low], nil, [.high], [.high]])
    #expect(rules.map(\.settings.priority) == [nil, .low, .low, .low])
  }

  static let mistakes: [(String, String)] = [
    (
      "debounc = 1",
      "2:1: expected one of name, type, class, app, window, element, priority, "
        + "trait, cause, foreground, focused, continuous, origin, text, key, leading, debounce, "
        + "max_wait, "
        + "rate, burst, over, dedupe, ttl, mode, present, only_if_user, hold, max_chars "
        + "in a rule; got debounc; did you mean debounce?"
    ),
    (
      "type = \"anouncement\"",
      "2:1: type: expected one of announcement, layout-changed, "
        + "screen-changed, page-scrolled, focus, elements, voiceover-status, busy, storm; "
        + "got \"anouncement\"; did you mean announcement?"
    ),
    (
      "type = [\"busy\",\n \"strom\"]",
      "3:2: type: expected one of announcement, layout-changed, "
        + "screen-changed, page-scrolled, focus, elements, voiceover-status, busy, storm; "
        + "got \"strom\"; did you mean storm?"
    ),
    (
      "class = \"Value\"",
      "2:1: class: expected a class: 1 to 32 of the characters a to z and -; "
        + "got \"Value\"; did you mean value?"
    ),
    (
      "app = 7",
      "2:1: app: expected a text of 1 to 256 bytes, in which * stands for anything; "
        + "got 7"
    ),
    (
      "element = \"\"",
      "2:1: element: expected a text of 1 to 256 bytes, in which * stands for "
        + "anything; got \"\""
    ),
    ("window = []", "2:1: window: expected a value, or a list of 1 to 64; got an empty list"),
    (
      "text = [\"a\", [\"b\"]]",
      "2:14: text: expected a text of 1 to 256 bytes, in which * stands "
        + "for anything; got a list"
    ),
    (
      "trait = \"buton\"",
      "2:1: trait: expected one of button, link, static-text, search-field, "
        + "image, keyboard-key, header, selected, not-enabled, adjustable, "
        + "allows-direct-interaction, plays-sound, updates-frequently, starts-media-session, "
        + "summary-element, causes-page-turn, text-field, secure; got \"buton\"; "
        + "did you mean button?"
    ),
    (
      "priority = \"hgih\"",
      "2:1: priority: expected one of low, default, high; got \"hgih\"; "
        + "did you mean high?"
    ),
    ("cause = 17", "2:1: cause: expected one of auto, user; got 17"),
    ("foreground = \"yes\"", "2:1: foreground: expected true or false; got \"yes\""),
    (
      "key = \"app+widow\"",
      "2:1: key: expected app, window, element, type, class, key, some of "
        + "them with + between, or \"none\"; got \"app+widow\""
    ),
    (
      "key = \"elment\"",
      "2:1: key: expected app, window, element, type, class, key, some of "
        + "them with + between, or \"none\"; got \"elment\"; did you mean element?"
    ),
    ("leading = 1", "2:1: leading: expected true or false; got 1"),
    (
      "debounce = \"5 sec\"",
      "2:1: debounce: expected at most a day, in milliseconds or with a "
        + "unit such as \"1.5 s\"; got \"5 sec\""
    ),
    (
      "debounce = -1",
      "2:1: debounce: expected at most a day, in milliseconds or with a "
        + "unit such as \"1.5 s\"; got -1"
    ),
    (
      "max_wait = \"25 h\"",
      "2:1: max_wait: expected at most a day, in milliseconds or with a "
        + "unit such as \"1.5 s\", or \"none\"; got \"25 h\""
    ),
    (
      "max_wait = 9223372036854775807",
      "2:1: max_wait: expected at most a day, in milliseconds or "
        + "with a unit such as \"1.5 s\", or \"none\"; got 9223372036854775807"
    ),
    (
      "rate = 4",
      "2:1: rate: expected so many in so long a time, such as \"4/s\" or \"1/10 s\", "
        + "or \"none\"; got 4"
    ),
    (
      "rate = \"0/s\"",
      "2:1: rate: expected so many in so long a time, such as \"4/s\" or "
        + "\"1/10 s\", or \"none\"; got \"0/s\""
    ),
    (
      "rate = \"1/0 s\"",
      "2:1: rate: expected so many in so long a time, such as \"4/s\" or "
        + "\"1/10 s\", or \"none\"; got \"1/0 s\""
    ),
    ("burst = 0", "2:1: burst: expected an integer from 1 to 10000; got 0"),
    (
      "over = \"merg\"",
      "2:1: over: expected one of defer, merge, demote; got \"merg\"; "
        + "did you mean merge?"
    ),
    (
      "dedupe = \"eqal\"",
      "2:1: dedupe: expected at most a day, in milliseconds or with a unit "
        + "such as \"1.5 s\", \"equal\" or \"none\"; got \"eqal\"; did you mean equal?"
    ),
    (
      "ttl = \"kep\"",
      "2:1: ttl: expected at most a day, in milliseconds or with a unit such as "
        + "\"1.5 s\", or \"kept\"; got \"kep\"; did you mean kept?"
    ),
    (
      "mode = \"last\"",
      "2:1: mode: expected one of all, latest, latest-interrupt, "
        + "current-then-latest; got \"last\""
    ),
    (
      "present = \"speach\"",
      "2:1: present: expected one of speech, sound, log; got \"speach\"; "
        + "did you mean speech?"
    ),
    ("only_if_user = 0", "2:1: only_if_user: expected true or false; got 0"),
    (
      "hold = 1.5",
      "2:1: hold: expected at most a day, in milliseconds or with a unit such as "
        + "\"1.5 s\", true or false; got 1.5"
    ),
    ("max_chars = 40000", "2:1: max_chars: expected an integer from 1 to 32768; got 40000"),
    (
      "match.mode = \"all\"",
      "2:7: expected one of type, class, app, window, element, priority, "
        + "trait, cause, foreground, focused, continuous, origin, text in match; got mode"
    ),
    (
      "set.apps = \"a\"",
      "2:5: expected one of key, leading, debounce, max_wait, rate, burst, "
        + "over, dedupe, ttl, mode, priority, present, only_if_user, hold, max_chars in set; "
        + "got apps"
    ),
    (
      "set.mode = \"al\"",
      "2:5: mode: expected one of all, latest, latest-interrupt, "
        + "current-then-latest; got \"al\"; did you mean all?"
    ),
  ]

  @Test(arguments: mistakes)
  func `a mistake is told with its place and what was expected`(line: String, words: String) {
    #expect(complaints("[[rule]] # here\n\(line)\nname = \"a\"") == ["a.toml:\(words)"])
  }

  @Test(arguments: [
    ("[rule]\nname = \"a\"", "1:2: expected tables [[rule]]; got [rule]; did you mean [[rule]]?"),
    (
      "[[rules]]\nname = 1", "1:1: expected tables [[rule]]; got [rules[0]]; did you mean [[rule]]?"
    ),
    ("[log]\nretain_days = 3", "1:2: expected tables [[rule]]; got [log]"),
    ("burst = 3", "1:1: expected tables [[rule]]; got the key burst"),
    ("\n[[rule]]\nburst = 3", "2:1: expected a name in this rule; there is none"),
    (
      "[[rule]]\nname = \"\"",
      "2:1: name: expected a name of 1 to 128 bytes without control "
        + "characters; got \"\""
    ),
    (
      "[[rule]]\nname = 3",
      "2:1: name: expected a name of 1 to 128 bytes without control "
        + "characters; got 3"
    ),
    ("[[rule]", "1:8: this is not TOML: "),
  ])
  func `what is no rule is told`(text: String, words: String) {
    let all = complaints(text)

    #expect(all.count == 1)
    #expect(all.first?.hasPrefix("a.toml:\(words)") == true, "\(all)")
  }

  @Test func `all mistakes of a file are told at once`() {
    let all = complaints("[[rule]]\nburst = 0\nmode = 1\n[[rule]]\nname = \"b\"\nhold = \"x\"")

    #expect(
      all.map { $0.prefix { $0 != " " } } == [
        "a.toml:2:1:", "a.toml:3:1:", "a.toml:1:1:", "a.toml:6:1:",
      ]
    )
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6])
  func `any rules come back from a file as they went`(seed: UInt64) throws {
    var maker = RuleMaker(Dice(seed: seed))
    var rules = maker.rules(30)
    for index in rules.indices { rules[index].place = nil }

    let back = try read(rules.map(Self.written).joined()).map { rule in
      var rule = rule
      rule.place = nil
      return rule
    }

    #expect(back == rules, "seed \(seed)")
  }

  /// A rule as a file has it, with the keys in both of the ways that there are.
  private static func written(_ rule: Rule) -> String {
    var text = "[[rule]]\nname = \(toml(.text(rule.name)))\n"
    for key in MatcherKey.allCases {
      guard let value = rule.matchers.value(key) else { continue }
      text += "match.\(key.rawValue) = \(toml(value))\n"
    }
    for key in SettingKey.allCases {
      guard let value = rule.settings.value(key) else { continue }
      text += "\(key == .priority ? "set." : "")\(key.rawValue) = \(toml(value))\n"
    }
    return text
  }

  /// Strings of JSON are strings of TOML.
  private static func toml(_ value: RuleValue) -> String {
    var out = ByteBuffer(capacity: 64)
    value.writeValue(into: &out)
    return out.bytes.string
  }
}

extension RuleSettings {
  fileprivate static func with(_ body: (inout RuleSettings) -> Void) -> RuleSettings {
    var settings = RuleSettings()
    body(&settings)
    return settings
  }
}
