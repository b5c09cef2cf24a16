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
    guard let content = entry.member("content", of: event),
      let rules = RuleSet(entry, content)
    else { return }
    self.rules = rules
    if let reader = entry.member("reader", of: event) {
      pace.perCharacter =
        (entry.integer("ms_per_char", of: reader) ?? 0) * Bounds.millisecond
      pace.grace = (entry.integer("grace_ms", of: reader) ?? 0) * Bounds.millisecond
    }
    for seq in items.keys.sorted() {
      guard var item = items[seq] else { continue }
      item.treatment = treatment(of: &item.facts)
      items[seq] = item
    }
  }
}
