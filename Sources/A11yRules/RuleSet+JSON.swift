// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

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
