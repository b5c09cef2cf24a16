// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yWire
import Testing

@testable import A11yRules

/// The rule that counts for each setting.
@Suite struct RuleSetTests {
  private func rule(_ name: String, _ body: (inout Rule) -> Void) -> Rule {
    var rule = Rule(name)
    body(&rule)
    return rule
  }

  @Test func `of each setting the last matching rule counts`() {
    let rules = RuleSet([
      rule("first") {
        $0.settings.ttl = .microseconds(1)
        $0.settings.burst = 2
      },
      rule("second") { $0.settings.ttl = .microseconds(3) },
      rule("of others") {
        $0.matchers.apps = [Pattern("else.*")]
        $0.settings.burst = 4
      },
    ])

    let treatment = rules.treatment(of: .of(.announcement))

    #expect(treatment.rule == "second")
    #expect(treatment.ttl == .init(.microseconds(3), rule: "second"))
    #expect(treatment.burst == .init(2, rule: "first"))
    #expect(treatment.hold == .init(.zero, rule: "built in"))
  }

  @Test func `a rule with nothing but a name matches everything and sets nothing`() {
    let rules = RuleSet([rule("empty") { _ in }])

    #expect(rules.treatment(of: .of(.busy)).rule == "empty")
    #expect(rules.treatment(of: .of(.busy)).burst.rule == "built in")
  }

  @Test func `a user's number replaces the shipped one and leaves the others`() {
    let mine = rule("less mail") {
      $0.matchers.apps = [Pattern("org.example.*")]
      $0.settings.burst = 1
    }
    let rules = RuleSet(RuleSet().rules + [mine])

    let ours = rules.treatment(of: .announcement(.default))
    let others = rules.treatment(of: .announcement(.default).with { $0.app = Name("org.other") })

    #expect(ours.burst == .init(1, rule: "less mail"))
    #expect(ours.ttl == .init(.seconds(10), rule: "announcement default"))
    #expect(others.burst == .init(5, rule: "announcement default"))
  }

  @Test func `each matcher looks at its own fact, and all must match`() {
    let facts = Facts.announcement(.low).of(.chat).by(.user).focused().continuous().with {
      $0.window = Name("w")
      $0.element = Name("e")
      $0.traits = 0b101
      $0.text = Array(#"say \"hi\"\n"#.utf8)
    }
    let matches: [(inout Matchers) -> Void] = [
      { $0.types = [.busy, .announcement] }, { $0.classes = ["value", "chat"] },
      { $0.apps = [Pattern("x"), Pattern("org.*")] }, { $0.windows = [Pattern("w")] },
      { $0.elements = [Pattern("e")] }, { $0.priorities = [.high, .low] },
      { $0.traits = 0b110 }, { $0.causes = [.user] }, { $0.isForeground = true },
      { $0.isFocused = true }, { $0.isContinuous = true },
      { $0.texts = [Pattern("say \"hi\"*")] },
    ]
    let misses: [(inout Matchers) -> Void] = [
      { $0.types = [.busy] }, { $0.classes = ["value", "alert"] }, { $0.apps = [Pattern("x")] },
      { $0.windows = [Pattern("v")] }, { $0.elements = [Pattern("f")] },
      { $0.priorities = [.high] }, { $0.traits = 0b010 }, { $0.causes = [.auto] },
      { $0.isForeground = false }, { $0.isFocused = false }, { $0.isContinuous = false },
      { $0.texts = [Pattern("say*hi")] },
    ]
    let all = rule("r") { rule in for match in matches { match(&rule.matchers) } }
    #expect(RuleSet([all]).treatment(of: facts).rule == "r")

    for (number, miss) in misses.enumerated() {
      var changed = all
      miss(&changed.matchers)
      #expect(RuleSet([changed]).treatment(of: facts).rule == "built in", "matcher \(number)")
    }
  }

  @Test func `a class that only apps know matches its own name`() {
    let rules = RuleSet([rule("alerts") { $0.matchers.classes = ["alert", "status"] }])

    #expect(rules.treatment(of: .of(.announcement).of(.other("alert"))).rule == "alerts")
    #expect(rules.treatment(of: .of(.announcement).of(.other("alarm"))).rule == "built in")
    #expect(rules.treatment(of: .of(.announcement).of(.status)).rule == "alerts")
    #expect(rules.treatment(of: .of(.announcement)).rule == "built in")
  }

  @Test func `a missing fact matches no pattern, nor does a text that nobody may know`() {
    let rules = RuleSet([
      rule("window") { $0.matchers.windows = [Pattern("*")] },
      rule("element") { $0.matchers.elements = [Pattern("*")] },
      rule("text") { $0.matchers.texts = [Pattern("*")] },
    ])

    #expect(rules.treatment(of: .of(.announcement)).rule == "built in")
  }

  @Test func `the same facts find the same treatment again`() {
    let rules = RuleSet()

    #expect(rules.treatment(of: .of(.focus)) === rules.treatment(of: .of(.focus)))
  }

  @Test(arguments: [1, 2, 3, 4, 5])
  func `the table gives the treatment that trying rule after rule gives`(seed: UInt64) {
    var maker = RuleMaker(Dice(seed: seed))
    let all = maker.rules(12)
    let rules = RuleSet(all)
    // A rule is asked alone through a set of its own.
    let alone = all.map { one in
      var named = one
      named.name = "it"
      return RuleSet([named])
    }
    for _ in 0..<60 {
      let facts = maker.facts()

      let matching = all.indices.filter { alone[$0].treatment(of: facts).rule == "it" }
      let plain = matching.map { number in
        var plain = all[number]
        plain.matchers = Matchers()
        return plain
      }
      let expected = RuleSet(plain).treatment(of: facts)

      let found = rules.treatment(of: facts)
      #expect(found.isSame(as: expected), "seed \(seed)")
    }
  }

  @Test(arguments: [1, 2, 3])
  func `a treatment that is recalled is the one that the rules give`(seed: UInt64) {
    var maker = RuleMaker(Dice(seed: seed))
    var rules = RuleSet(maker.rules(40))
    for _ in 0..<300 {
      let facts = maker.facts()

      let recalled = rules.recallTreatment(of: facts)
      let again = rules.recallTreatment(of: facts)

      #expect(recalled.isSame(as: rules.treatment(of: facts)), "seed \(seed)")
      #expect(again.isSame(as: recalled), "seed \(seed)")
    }
  }
}

extension Treatment {
  /// Whether all settings are the same, and come from the same rules.
  fileprivate func isSame(as other: Treatment) -> Bool {
    rule == other.rule && key == other.key && leading == other.leading
      && debounce == other.debounce && maxWait == other.maxWait && rate == other.rate
      && burst == other.burst && over == other.over && dedupe == other.dedupe
      && ttl == other.ttl && mode == other.mode && priority == other.priority
      && present == other.present && onlyIfUser == other.onlyIfUser && hold == other.hold
      && maxChars == other.maxChars
  }
}

/// A set of rules as an entry has it.
@Suite struct RuleSetJSONTests {
  private let reader = JSONReader(limit: 1_048_576)

  private func written(_ rules: RuleSet) -> String {
    var out = ByteBuffer(capacity: 1_024)
    rules.write(into: &out)
    return out.bytes.string
  }

  private func read(_ text: String) throws -> RuleSet? {
    try reader.read(Array("{\"content\":\(text)}".utf8).span)
    let line = reader.document
    guard let content = line.member("content", of: line.root) else { return nil }
    return RuleSet(line, content)
  }

  @Test func `the shipped rules come back as they went`() throws {
    #expect(try read(written(RuleSet())) == RuleSet())
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8])
  func `any rules come back as they went`(seed: UInt64) throws {
    var maker = RuleMaker(Dice(seed: seed))
    for count in [0, 1, 2, 40] {
      let rules = RuleSet(maker.rules(count))

      let back = try read(written(rules))

      #expect(back == rules, "seed \(seed)")
      #expect(back?.hash == rules.hash)
    }
  }

  @Test func `a rule is written in the words of a file`() throws {
    var rule = Rule("quiet")
    rule.matchers.apps = [Pattern("org.*")]
    rule.matchers.priorities = [.low, .high]
    rule.settings.rate = Rate(count: 1, period: .seconds(10))
    rule.settings.ttl = .some(nil)
    rule.settings.debounce = .milliseconds(1_500)
    rule.settings.hold = .zero
    rule.place = Rule.Place(file: "a.toml", line: 3, column: 1)

    #expect(
      written(RuleSet([rule])) == #"[{"name":"quiet","file":"a.toml","line":3,"column":1,"#
        + #""match":{"app":"org.*","priority":["low","high"]},"#
        + #""set":{"debounce":"1500 ms","rate":"1/10 s","ttl":"kept","hold":false}}]"#
    )
  }

  @Test(arguments: [
    "{}", "[1]", "[{}]", #"[{"name":"a"}]"#, #"[{"name":"","match":{},"set":{}}]"#,
    #"[{"name":"a","match":{"apps":"x"},"set":{}}]"#,
    #"[{"name":"a","match":{},"set":{"ttl":-1}}]"#,
    #"[{"name":"a","match":{},"set":{"mode":"new"}}]"#,
    #"[{"name":"a","match":{},"set":{"key":{}}}]"#,
    #"[{"name":"a","match":{"type":[]},"set":{}}]"#,
    #"[{"name":"a","file":"f","match":{},"set":{}}]"#,
  ])
  func `a value that no set has written is refused`(text: String) throws {
    #expect(try read(text) == nil)
  }

  @Test func `the hash tells sets apart, and says what the text book says`() {
    #expect(ContentHash.of([UInt8]().span) == "6c62272e07bb014262b821756295c58d")
    #expect(ContentHash.of([97].span) == "d228cb696f1a8caf78912b704e4a8964")
    #expect(RuleSet().hash != RuleSet([]).hash)
  }
}

/// Texts that differ in anything are told apart.
@Suite struct FingerprintTests {
  @Test func `length and every byte count, zeros among them`() {
    var prints: Set<Fingerprint> = [Fingerprint([UInt8]().span)]
    var texts = 1
    for length in 1...40 {
      var all: [[UInt8]] = [[UInt8](repeating: 0, count: length)]
      for place in 0..<length {
        var text = [UInt8](repeating: 0, count: length)
        text[place] = 97
        all.append(text)
      }
      for text in all { prints.insert(Fingerprint(text.span)) }
      texts += all.count
    }
    #expect(prints.count == texts)
  }

  /// An earlier print, a multiplication for each word, was the same for both; a search of ten
  /// minutes had found them.
  @Test func `texts that were chosen to collide are told apart`() {
    let one = Array("[7\\T:SBAafeffcbbyT&VH\u{10}G\u{17}".utf8)
    let other = Array("J\">XQX'Kfhafgffd\u{18}rrdMK7Z".utf8)
    #expect(one.count == 24 && other.count == 24)
    #expect(Fingerprint(one.span) != Fingerprint(other.span))
  }
}
