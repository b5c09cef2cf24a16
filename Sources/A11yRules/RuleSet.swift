// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

/// All rules that are in force, in their order: for each setting the last matching rule wins.
public struct RuleSet: Sendable {
  public let rules: [Rule]
  /// The rules for those who read them alone: one object, where the set is several.
  public let table: RuleTable
  /// A part of the set, so that other rules bring treatments of their own.
  private var laid = LaidTreatments()

  /// Far more rules than people write by hand, and few enough to fit into an entry.
  public static let most = 512

  /// The rules that are shipped, and no others.
  public init() { self = .defaults }

  public init(_ rules: [Rule]) {
    // A table takes as long to make as a hundred events. Mostly the shipped rules are the only
    // ones, and a start has them from the code, from the files and from the log.
    self = rules == Self.defaults.rules ? .defaults : RuleSet(making: rules)
  }

  /// A set with a table of its own.
  init(making rules: [Rule]) {
    precondition(rules.count <= Self.most, "the loader of rules counts them")
    self.rules = rules
    table = RuleTable(rules)
  }

  /// Whether any rule has a matcher of texts.
  public var looksAtTexts: Bool { table.looksAtTexts }

  /// The treatment of an event with these facts.
  public func treatment(of facts: borrowing Facts) -> Treatment {
    table.treatment(of: facts)
  }

  /// The same, kept for the next event that these rules match.
  public mutating func recallTreatment(of facts: borrowing Facts) -> Treatment {
    if let treatment = table.settledTreatment(of: facts) { return treatment }
    return laid.recall(table.laidRules(of: facts), in: table)
  }

  var effectiveRows: [EffectiveRow] { EffectiveRows(table).rows }
}

extension RuleSet: Equatable {
  public static func == (a: RuleSet, b: RuleSet) -> Bool { a.rules == b.rules }
}

// The answer to `rules`: every value that is in force, with the rule that it comes from.
extension RuleSet {
  /// Bounds of the two lists, because an answer is a line; rows that do not fit are counted.
  private static let listBytes = 98_304
  private static let answerBytes = 229_376

  /// Appends the members of the answer to `rules`.
  public func writeAnswer(into out: inout ByteBuffer) {
    let start = out.count
    out.append(member: "hash", hash)
    out.append(member: "files", Array(files.prefix(256)))
    out.append(member: "builtin", builtIn)
    let rows = effectiveRows
    var written = 0
    out.array("effective") { out in
      for row in rows where out.count - start < Self.answerBytes - Self.listBytes {
        out.separate()
        writeRow(row, into: &out)
        written += 1
      }
    }
    if written < rows.count { out.append(member: "more_effective", Int64(rows.count - written)) }
    written = 0
    out.array("rules") { out in
      for rule in rules where out.count - start < Self.answerBytes {
        out.separate()
        rule.writeRule(into: &out)
        written += 1
      }
    }
    if written < rules.count { out.append(member: "more_rules", Int64(rules.count - written)) }
  }

  /// The names of the rules that are shipped, each once.
  private var builtIn: [String] {
    var names: [String] = []
    for rule in rules where rule.place == nil && !names.contains(rule.name) {
      names.append(rule.name)
    }
    return names
  }

  private func writeRow(_ row: EffectiveRow, into out: inout ByteBuffer) {
    out.object { out in
      writeFacts(row, into: &out)
      out.object("settings") { out in
        for key in SettingKey.allCases {
          guard let value = row.plan.treatment.value(key) else { continue }
          out.append(memberText: key.rawValue)
          out.object {
            $0.append(member: "value")
            value.writeValue(into: &$0)
            writeSource(source(of: key, in: row.plan), into: &$0)
          }
        }
      }
      out.array("also", of: row.plan.open) { out, number in
        out.object { writeSource(rules[number], into: &$0) }
      }
    }
  }

  private func writeFacts(_ row: EffectiveRow, into out: inout ByteBuffer) {
    out.append(member: "type", row.topic.rawValue)
    if let classes = row.classes {
      out.append(
        member: "class",
        classes.map { $0 == SpeechClass.otherNumber ? "*" : SpeechClass.known[$0].word }
      )
    }
    if let priorities = row.priorities {
      out.append(member: "priority", priorities.map(\.rawValue))
    }
    if let cause = row.cause { out.append(member: "cause", cause.rawValue) }
    if let flag = row.isContinuous { out.append(member: "continuous", flag) }
    if let flag = row.isFocused { out.append(member: "focused", flag) }
    if let flag = row.isForeground { out.append(member: "foreground", flag) }
  }

  /// The rule that a setting of a plan comes from; nil where none gives it.
  private func source(of key: SettingKey, in plan: RuleTable.Plan) -> Rule? {
    plan.rules.last { !plan.open.contains($0) && rules[$0].settings.value(key) != nil }
      .map { rules[$0] }
  }

  private func writeSource(_ source: Rule?, into out: inout ByteBuffer) {
    out.append(member: "rule", source?.name ?? Composition.builtIn)
    guard let place = source?.place else { return }
    out.append(member: "file", place.file)
    out.append(member: "line", place.line)
  }
}

// A whole set as one JSON value, so that later releases can replay a log that has it.
extension RuleSet {
  public func write(into out: inout ByteBuffer) { Self.writeRules(rules, into: &out) }

  static func writeRules(_ rules: [Rule], into out: inout ByteBuffer) {
    out.array(of: rules) { $1.writeRule(into: &$0) }
  }

  /// Reads a set that `write` has written; nil for anything else.
  public init?(_ line: JSONDocument, _ list: JSONIndex) {
    guard line.kind(list) == .list, line.count(list) <= Self.most else { return nil }
    var rules: [Rule] = []
    var item = list + 1
    while item < line.end(list) {
      guard let rule = Rule(line, item) else { return nil }
      rules.append(rule)
      item = line.end(item)
    }
    // Nearly always these are the shipped rules, whose table is made already.
    if rules == Self.defaults.rules {
      self = .defaults
    } else {
      self.init(rules)
    }
  }
}

extension Rule {
  func writeRule(into out: inout ByteBuffer) {
    out.object { out in
      out.append(member: "name", name)
      if let place {
        out.append(member: "file", place.file)
        out.append(member: "line", place.line)
        out.append(member: "column", place.column)
      }
      out.object("match") { out in
        for key in MatcherKey.allCases {
          guard let value = matchers.value(key) else { continue }
          out.append(memberText: key.rawValue)
          value.writeValue(into: &out)
        }
      }
      out.object("set") { out in
        for key in SettingKey.allCases {
          guard let value = settings.value(key) else { continue }
          out.append(memberText: key.rawValue)
          value.writeValue(into: &out)
        }
      }
    }
  }

  fileprivate init?(_ line: JSONDocument, _ object: JSONIndex) {
    guard let name = line.member("name", of: object), let match = line.member("match", of: object),
      let set = line.member("set", of: object), line.kind(match) == .object,
      line.kind(set) == .object
    else { return nil }
    self.init("")
    do throws(Misfit) {
      try setName(RuleValue(line, name))
      var key = match + 1
      while key < line.end(match) {
        guard let known = MatcherKey(rawValue: line.string(key)) else { return nil }
        try self.set(known, RuleValue(line, key + 1))
        key = line.end(key + 1)
      }
      key = set + 1
      while key < line.end(set) {
        guard let known = SettingKey(rawValue: line.string(key)) else { return nil }
        try self.set(known, RuleValue(line, key + 1))
        key = line.end(key + 1)
      }
    } catch {
      return nil
    }
    guard let file = line.string("file", of: object) else { return }
    guard let number = line.integer("line", of: object),
      let column = line.integer("column", of: object)
    else { return nil }
    place = Place(file: file, line: number, column: column)
  }
}

extension RuleValue {
  fileprivate init(_ line: JSONDocument, _ value: JSONIndex) {
    switch line.kind(value) {
    case .string: self = .text(line.string(value))
    case .number: self = line.integer(value).map { .integer($0) } ?? .other
    case .yes: self = .flag(true)
    case .no: self = .flag(false)
    case .list:
      var items: [RuleValue] = []
      var item = value + 1
      while item < line.end(value) {
        items.append(RuleValue(line, item))
        item = line.end(item)
      }
      self = .list(items)
    case .object, .null: self = .other
    }
  }
}

// The entry of type `rules`.
extension RuleSet {
  /// Bytes of the entry around its event: seq, times, origin and checksum, with room to spare.
  private static let frameBytes = 1_024

  /// Whether these rules fit into an entry.
  public static func fits(_ rules: [Rule]) -> Bool {
    var out = ByteBuffer(capacity: 16_384)
    writeMembers(rules, into: &out)
    return out.count <= Limits.answerBytes - frameBytes
  }

  /// Appends the members of the entry's event.
  public func writeEntry(into out: inout ByteBuffer) { Self.writeMembers(rules, into: &out) }

  /// Reads the event of an entry; nil where it has no rules, or none that can be.
  public init?(entry line: JSONDocument, _ event: JSONIndex) {
    guard let content = line.member("content", of: event) else { return nil }
    self.init(line, content)
  }

  private static func writeMembers(_ rules: [Rule], into out: inout ByteBuffer) {
    out.append(member: "hash", hash(of: rules))
    out.append(member: "files", files(of: rules))
    out.append(member: "content")
    writeRules(rules, into: &out)
  }

  /// The files that rules come from, in order.
  public var files: [String] { Self.files(of: rules) }

  private static func files(of rules: [Rule]) -> [String] {
    var files: [String] = []
    for rule in rules {
      guard let file = rule.place?.file, !files.contains(file) else { continue }
      files.append(file)
    }
    return files
  }

  /// The hash of the content, in hex.
  public var hash: String { Self.hash(of: rules) }

  private static func hash(of rules: [Rule]) -> String {
    var out = ByteBuffer(capacity: 16_384)
    writeRules(rules, into: &out)
    return ContentHash.of(out.bytes)
  }
}

/// The rules that ask for an app, a window or an element by its whole name, by that name.
///
/// People write most rules for one app each: an event meets those of its own app, and not all of
/// them. A rule is listed under the names of one matcher alone, so that it is met once.
struct NamedRules: Sendable {
  private var apps: [Name: [Int]] = [:]
  private var elements: [Name: [Int]] = [:]
  private var windows: [Name: [Int]] = [:]
  private var isListed: [Bool]

  init(_ rules: [Rule]) {
    isListed = [Bool](repeating: false, count: rules.count)
    for (number, rule) in rules.enumerated() {
      isListed[number] =
        Self.list(number, under: rule.matchers.apps, &apps)
        || Self.list(number, under: rule.matchers.elements, &elements)
        || Self.list(number, under: rule.matchers.windows, &windows)
    }
  }

  /// False where there are no patterns, or one of them stands for many names.
  private static func list(
    _ number: Int,
    under patterns: [Pattern]?,
    _ table: inout [Name: [Int]]
  ) -> Bool {
    guard let patterns, patterns.allSatisfy(\.isLiteral) else { return false }
    for name in Set(patterns.map { Name($0.text) }) { table[name, default: []].append(number) }
    return true
  }

  /// Whether the rule with this number is met by a name alone.
  func contains(_ number: Int) -> Bool { isListed[number] }

  /// Calls `body` with the number of each listed rule that an event could match.
  func forEach(of facts: borrowing Facts, _ body: (Int) -> Void) {
    Self.forEach(under: facts.app, apps, body)
    if let element = facts.element { Self.forEach(under: element, elements, body) }
    if let window = facts.window { Self.forEach(under: window, windows, body) }
  }

  private static func forEach(under name: Name, _ table: [Name: [Int]], _ body: (Int) -> Void) {
    guard !table.isEmpty, let numbers = table[name] else { return }
    for number in numbers { body(number) }
  }
}

/// FNV-1a of 128 bits: tells texts apart that nobody has made to collide.
public enum ContentHash {
  /// The hash as 32 lower-case hex digits.
  public static func of(_ bytes: Span<UInt8>) -> String {
    var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
    for index in bytes.indices {
      hash = (hash ^ UInt128(bytes[index])) &* 0x0000_0000_0100_0000_0000_0000_0000_013b
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 32 - digits.utf8.count) + digits
  }
}
