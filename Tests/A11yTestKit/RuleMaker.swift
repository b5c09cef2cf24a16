// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yRules
import A11yWire

/// Rules that nobody would write, from dice.
package struct RuleMaker {
  package var dice: Dice

  package init(_ dice: Dice) { self.dice = dice }

  package mutating func rules(_ count: Int) -> [Rule] {
    var rules: [Rule] = []
    for number in 0..<count { rules.append(rule(number)) }
    return rules
  }

  package mutating func rule(_ number: Int) -> Rule {
    var rule = Rule(dice.pick(["quiet", "a \"name\" \\ of its own", "größe", "r\(number)"]))
    rule.matchers = matchers()
    rule.settings = settings()
    if dice.once(in: 2) {
      rule.place = Rule.Place(
        file: dice.pick(["/etc/a11yd/rules.d/a.toml", "/x/\"ö\".toml"]),
        line: Int64(dice.roll(1...9_999)),
        column: 1
      )
    }
    return rule
  }

  package mutating func facts() -> Facts {
    let names = Self.names
    return Facts(
      topic: dice.pick(Topic.allCases),
      speechClass: dice.pick(SpeechClass.known + [.other("alert"), .other("x")]),
      uid: 1000,
      app: Name(dice.pick(names)),
      window: dice.once(in: 3) ? nil : Name(dice.pick(names)),
      element: dice.once(in: 3) ? nil : Name(dice.pick(names)),
      priority: dice.pick(Priority.allCases),
      traits: UInt32(dice.roll(0...1 << 18 - 1)),
      cause: dice.pick(Causation.allCases),
      isForeground: dice.once(in: 2),
      isFocused: dice.once(in: 2),
      isContinuous: dice.once(in: 2),
      text: dice.once(in: 3) ? nil : Array(dice.pick([#"a\nb"#, "b", #"\u00e4"#]).utf8)
    )
  }

  private static let names = ["a", "b", "ab", "org.x.Mail", "ä"]
  private static let patterns = ["a", "b", "*", "a*", "*b", "org.*.Mail", "ä", "a\nb", "x\u{7f}*"]

  private mutating func matchers() -> Matchers {
    var matchers = Matchers()
    if some() { matchers.types = many(Topic.allCases) }
    if some() { matchers.classes = many(["status", "value", "chat", "alert", "y"]) }
    if some() { matchers.apps = many(Self.patterns).map(Pattern.init) }
    if some() { matchers.windows = many(Self.patterns).map(Pattern.init) }
    if some() { matchers.elements = many(Self.patterns).map(Pattern.init) }
    if some() { matchers.priorities = many(Priority.allCases) }
    if some() { matchers.traits = UInt32(dice.roll(1...1 << 18 - 1)) }
    if some() { matchers.causes = many(Causation.allCases) }
    if some() { matchers.isForeground = dice.once(in: 2) }
    if some() { matchers.isFocused = dice.once(in: 2) }
    if some() { matchers.isContinuous = dice.once(in: 2) }
    if some() { matchers.texts = many(Self.patterns).map(Pattern.init) }
    return matchers
  }

  private mutating func settings() -> RuleSettings {
    var settings = RuleSettings()
    if some() { settings.key = keys() }
    if some() { settings.leading = dice.once(in: 2) }
    if some() { settings.debounce = time() }
    if some() { settings.maxWait = time() }
    if some() { settings.rate = .some(dice.once(in: 3) ? nil : rate()) }
    if some() { settings.burst = Int64(dice.roll(1...10_000)) }
    if some() { settings.over = dice.pick(Excess.allCases) }
    if some() {
      settings.dedupe = .some(dice.pick([nil, .whileEqual, .time(.microseconds(1) + time() / 2)]))
    }
    if some() { settings.ttl = .some(dice.once(in: 3) ? nil : time()) }
    if some() { settings.mode = dice.pick(Mode.allCases) }
    if some() { settings.priority = dice.pick(Priority.allCases) }
    if some() { settings.present = dice.pick(Presentation.allCases) }
    if some() { settings.onlyIfUser = dice.once(in: 2) }
    if some() { settings.hold = time() }
    if some() { settings.maxChars = Int64(dice.roll(1...32_768)) }
    return settings
  }

  private mutating func some() -> Bool { dice.once(in: 3) }

  private mutating func many<Value>(_ values: [Value]) -> [Value] {
    var many: [Value] = []
    for _ in 0..<dice.roll(1...3) { many.append(dice.pick(values)) }
    return many
  }

  private mutating func keys() -> [KeyParts] {
    var keys: [KeyParts] = []
    for _ in 0..<dice.roll(0...2) { keys.append(KeyParts(rawValue: UInt8(dice.roll(1...63)))) }
    return keys
  }

  private mutating func rate() -> Rate {
    Rate(
      count: Int64(dice.roll(1...1_000_000)),
      period: .microseconds(
        dice.pick([1_000, 1_000_000, 10_000_000, 60_000_000, 86_400_000_000, 1_234_567])
      )
    )
  }

  private mutating func time() -> TimeSpan {
    switch dice.roll(0...4) {
    case 0: .zero
    case 1: Times.longest
    case 2: .milliseconds(Int64(dice.roll(0...1_000)))
    case 3: .seconds(Int64(dice.roll(0...600)))
    default: .microseconds(Int64(dice.roll(0...10_000_000)))
    }
  }
}
