// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
package import A11yRules
internal import A11yWire

/// A file of rules.
package struct RulesFile: Equatable, Sendable {
  package let path: String

  package init(path: String) { self.path = path }

  /// The rules in it, or everything that is wrong with it.
  package func read() throws(Complaints) -> [Rule] {
    try Rule.read(text: text(), fileName: path)
  }

  fileprivate func text() throws(Complaints) -> [UInt8] {
    do throws(File.Unreadable) {
      return try File.read(path, limit: TomlText.largest)
    } catch {
      throw Complaints(Complaint(path, "\(error)"))
    }
  }
}

/// The rules of all files that there are, with the mistakes found in them.
///
/// A bad file never silences anything: its rules are left out as a whole, the other files count,
/// and whoever reads decides whether that is good enough.
package struct LoadedRules: Sendable {
  /// The shipped rules, and over them those of the files, in order.
  package private(set) var rules = RuleSet.defaults
  /// Those that were good.
  package private(set) var files: [RulesFile] = []
  package private(set) var complaints: [Complaint] = []
  /// What counts as it stands, and should be changed.
  package private(set) var warnings: [Complaint] = []

  /// How many files are read; whoever has more has named the wrong directory.
  package static let most = 256

  /// How many bytes they have together, comments included.
  private static let mostBytes = 1_048_576

  /// How many names the directories of rules may have together, files of other kinds included: they
  /// are looked through between two turns.
  private static let mostNames = 4_096

  /// Reads `*.toml` of the directories, in their order and in each by name.
  ///
  /// A directory need not be there. Names that begin with a dot are left to editors.
  package init(directories: [String]) {
    var files: [RulesFile] = []
    var complaints: [Complaint] = []
    var room = Self.mostNames
    for directory in directories {
      do throws(Errno) {
        guard let names = try Directory.names(directory, atMost: room) else {
          complaints.append(
            Complaint(directory, "expected at most \(Self.mostNames) files in all; there are more")
          )
          continue
        }
        room -= names.count
        files += names.filter { $0.hasSuffix(".toml") && !$0.hasPrefix(".") }
          .map { RulesFile(path: "\(directory)/\($0)") }
      } catch .noSuchFile, .notDirectory {
        continue
      } catch {
        complaints.append(Complaint(directory, "cannot be read: \(error)"))
      }
    }
    self.init(files, complaints: complaints)
  }

  /// Reads these files, in their order.
  package init(_ files: [RulesFile]) { self.init(files, complaints: []) }

  private init(_ files: [RulesFile], complaints: [Complaint]) {
    self.complaints = complaints
    var all = RuleSet.defaults.rules
    var room = Self.mostBytes
    for (index, file) in files.enumerated() {
      do throws(Complaints) {
        guard index < Self.most else {
          throw Self.surplus(files[index...], "\(Self.most) files of rules")
        }
        let text = try file.text()
        room -= text.count
        guard room >= 0 else {
          throw Self.surplus(files[index...], "\(Self.mostBytes) bytes of rules in all")
        }
        let toml = try TomlText(text, fileName: file.path)
        all = try Self.lay(Rule.read(toml), of: file, over: all)
        warnings += toml.warnings
        self.files.append(file)
      } catch {
        self.complaints += error.all
        if index == Self.most || room < 0 { break }
      }
    }
    rules = RuleSet(all)
  }

  /// The files that are left out because those before them are as much as there may be.
  private static func surplus(_ files: ArraySlice<RulesFile>, _ most: String) -> Complaints {
    Complaints(
      Complaint(
        files.first?.path ?? "",
        "expected at most \(most); with this one begin \(files.count) more, which are left out"
      )
    )
  }

  private static func lay(
    _ more: [Rule],
    of file: RulesFile,
    over rules: [Rule]
  ) throws(Complaints) -> [Rule] {
    let all = rules + more
    guard all.count <= RuleSet.most else {
      throw Complaints(
        Complaint(
          file.path,
          "expected at most \(RuleSet.most) rules in all; with this file they are \(all.count)"
        )
      )
    }
    guard RuleSet.fits(all) else {
      throw Complaints(
        Complaint(
          file.path,
          "expected rules that fit into one entry of the log; with this file"
            + " they are too long"
        )
      )
    }
    return all
  }
}

extension Rule {
  /// Reads the rules of a text, or says everything that is wrong with it.
  package static func read(
    text: [UInt8],
    fileName: String
  ) throws(Complaints) -> [Rule] {
    try read(TomlText(text, fileName: fileName))
  }

  fileprivate static func read(_ text: TomlText) throws(Complaints) -> [Rule] {
    var reading = RulesReading(fileName: text.fileName)
    for entry in text.entries
    where reading.complaints.count < Complaints.most { reading.include(entry) }
    reading.end()
    guard reading.complaints.isEmpty else { throw Complaints(reading.complaints) }
    return reading.rules
  }
}

/// One text on its way into rules.
private struct RulesReading {
  let fileName: String
  var rules: [Rule] = []
  var complaints: [Complaint] = []
  /// The rule whose keys are being read.
  private var draft: Draft?

  /// A rule of which more may come.
  private struct Draft {
    /// The path of its keys: `rule[3]`.
    let path: String
    var rule: Rule
    var place: Rule.Place
    var hasName = false
    /// Whether it sets anything beside what `priority` may mean.
    var isSetting = false
    /// A priority of which only the whole rule tells what it means.
    var priority: TomlEntry?
  }

  init(fileName: String) { self.fileName = fileName }

  mutating func include(_ entry: TomlEntry) {
    if entry.path.isEmpty {
      end()
      beginRule(entry)
      return
    }
    // A table that is none of ours was refused at its head; its keys are passed over.
    guard let path = draft?.path else { return }
    switch entry.path {
    case path: takeKey(entry)
    case path + ".match": readMember(entry, asMatcher: true)
    case path + ".set": readMember(entry, asMatcher: false)
    default: break
    }
  }

  /// Ends the rule at hand.
  mutating func end() {
    if let entry = draft?.priority { settle(entry) }
    guard let draft else { return }
    if !draft.hasName {
      complaints.append(
        Complaint(
          fileName,
          line: Int(draft.place.line),
          column: Int(draft.place.column),
          "expected a name in this rule; there is none"
        )
      )
    }
    var rule = draft.rule
    rule.place = draft.place
    rules.append(rule)
    self.draft = nil
  }

  private mutating func beginRule(_ entry: TomlEntry) {
    let name = String(entry.key.prefix { $0 != "[" })
    guard name == "rule", name != entry.key, entry.value == .table else {
      let got = entry.value == .table ? "[\(entry.key)]" : "the key \(entry.key)"
      let near = NearestName.to(name, among: ["rule"]).map { "; did you mean [[\($0)]]?" } ?? ""
      complain(at: entry, "expected tables [[rule]]; got \(got)\(near)")
      return
    }
    let place = Rule.Place(file: fileName, line: Int64(entry.line), column: Int64(entry.column))
    draft = Draft(path: entry.key, rule: Rule(""), place: place)
  }

  // MARK: Keys

  /// Takes a key that stands in the rule itself.
  private mutating func takeKey(_ entry: TomlEntry) {
    switch entry.key {
    case "name":
      draft?.hasName = true
      check(entry) { rule, value throws(Misfit) in try rule.setName(value) }
    case "match" where entry.value == .table, "set" where entry.value == .table: break
    case "priority": draft?.priority = entry
    default:
      if let key = MatcherKey(rawValue: entry.key) {
        readKey(key, entry)
      } else if let key = SettingKey(rawValue: entry.key) {
        readKey(key, entry)
      } else {
        stranger(entry, ["name"] + Self.matchers + Self.settings, in: "a rule")
      }
    }
  }

  /// Takes a key of the tables that say which of the two they mean.
  private mutating func readMember(_ entry: TomlEntry, asMatcher: Bool) {
    if asMatcher {
      guard let key = MatcherKey(rawValue: entry.key) else {
        stranger(entry, Self.matchers, in: "match")
        return
      }
      readKey(key, entry)
    } else {
      guard let key = SettingKey(rawValue: entry.key) else {
        stranger(entry, Self.settings, in: "set")
        return
      }
      readKey(key, entry)
    }
  }

  private mutating func readKey(_ key: MatcherKey, _ entry: TomlEntry) {
    check(entry) { rule, value throws(Misfit) in try rule.set(key, value) }
  }

  private mutating func readKey(_ key: SettingKey, _ entry: TomlEntry) {
    draft?.isSetting = true
    check(entry) { rule, value throws(Misfit) in try rule.set(key, value) }
  }

  /// Decides what `priority` means: in a rule that sets something else it says which events are
  /// meant, and in one that would set nothing without it, it is what the rule sets.
  private mutating func settle(_ entry: TomlEntry) {
    if draft?.isSetting == true {
      readKey(MatcherKey.priority, entry)
    } else {
      readKey(SettingKey.priority, entry)
    }
  }

  private static var matchers: [String] { MatcherKey.allCases.map(\.rawValue) }

  private static var settings: [String] { SettingKey.allCases.map(\.rawValue) }

  // MARK: Complaints

  private mutating func check(
    _ entry: TomlEntry,
    _ take: (inout Rule, RuleValue) throws(Misfit) -> Void
  ) {
    guard var rule = draft?.rule else { return }
    do throws(Misfit) {
      try take(&rule, RuleValue(entry.value))
    } catch {
      complain(error, entry)
    }
    draft?.rule = rule
  }

  private mutating func complain(_ misfit: Misfit, _ entry: TomlEntry) {
    var (line, column, got) = (entry.line, entry.column, entry.value)
    if let number = misfit.item, case .array(let items) = entry.value {
      (line, column, got) = (items[number].line, items[number].column, items[number].value)
    }
    var words = "\(entry.key): expected \(misfit.expected); got "
    switch got {
    case .string(let text): words += "\(got)" + NearestName.question(text, among: misfit.choices)
    // The items of a list within a list are not known.
    case .array where misfit.item != nil: words += "a list"
    case .table, .integer, .number, .boolean, .time, .array: words += "\(got)"
    }
    complaints.append(Complaint(fileName, line: line, column: column, words))
  }

  private mutating func stranger(_ entry: TomlEntry, _ known: [String], in place: String) {
    // Some say both what a rule is for and how that is treated.
    var names: [String] = []
    for name in known where !names.contains(name) { names.append(name) }
    complain(
      at: entry,
      "expected one of \(names.joined(separator: ", ")) in \(place); got \(entry.key)"
        + NearestName.question(entry.key, among: known)
    )
  }

  private mutating func complain(at entry: TomlEntry, _ words: String) {
    complaints.append(Complaint(fileName, line: entry.line, column: entry.column, words))
  }
}

extension RuleValue {
  fileprivate init(_ value: TomlValue) {
    self =
      switch value {
      case .string(let text): .text(text)
      case .integer(let integer): .integer(integer)
      case .boolean(let flag): .flag(flag)
      case .array(let items): .list(items.map { RuleValue($0.value) })
      case .table, .number, .time: .other
      }
  }
}
