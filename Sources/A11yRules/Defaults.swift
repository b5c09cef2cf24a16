// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

// The rules that are shipped. They are written in `Config/default-rules.toml`, with the reason for
// each number; `DefaultRules.swift` is made from it, for rooms that read no TOML.
extension RuleSet {
  public static let defaults = RuleSet(making: shippedRules)

  private static var shippedRules: [Rule] {
    let lines = shipped.split(separator: "\n")
    return stride(from: 0, to: lines.count, by: 3).map { at in
      Rule(shipped: lines[at], match: lines[at + 1], set: lines[at + 2])
    }
  }
}

extension Rule {
  /// A rule by its name, its matchers and its settings, the latter two with commas between; a list
  /// has bars between its items.
  fileprivate init(shipped name: Substring, match: Substring, set: Substring) {
    self.init(String(name))
    do throws(Misfit) {
      for (word, value) in Self.pairs(match) {
        if let key = MatcherKey(rawValue: word) { try self.set(key, value) }
      }
      for (word, value) in Self.pairs(set) {
        if let key = SettingKey(rawValue: word) { try self.set(key, value) }
      }
    } catch {
      preconditionFailure("\(name) expected \(error.expected)")
    }
  }

  private static func pairs(_ list: Substring) -> [(word: String, value: RuleValue)] {
    list.split(separator: ",").map { pair in
      let words = pair.split(separator: " ", maxSplits: 1)
      let items = words[1].split(separator: "|").map { RuleValue(shipped: String($0)) }
      return (String(words[0]), items.count == 1 ? items[0] : .list(items))
    }
  }
}

extension RuleValue {
  fileprivate init(shipped word: String) {
    switch word {
    case "true": self = .flag(true)
    case "false": self = .flag(false)
    default: self = Int64(word).map { .integer($0) } ?? .text(word)
    }
  }
}
