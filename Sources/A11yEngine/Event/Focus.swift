// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

extension Engine {
  /// The focus has moved: what is there is spoken.
  mutating func presentFocus(_ entry: JSONDocument, _ event: JSONIndex) {}

  /// Whoever begins to listen hears once what is the case.
  mutating func presentState() {
    guard let label = lastLabel else { return }
    say(label)
  }

  mutating func takeRules(_ entry: JSONDocument, _ event: JSONIndex) {
    guard let rules = RuleSet(entry, event) else { return }
    self.rules = rules
    for seq in items.keys.sorted() {
      guard var item = items[seq] else { continue }
      item.treatment = treatment(of: &item.facts)
      items[seq] = item
    }
  }
}
