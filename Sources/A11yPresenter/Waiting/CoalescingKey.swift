// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

extension Item {
  /// The key by which a newer event says anew what this one says; nil where none does.
  var coalescingKey: Key? {
    switch self.kind {
    case .status: return .status
    case .focus: return .focus
    case .report: return .report
    case .digest: return nil
    case .announcement, .layout, .screen, .page, .value: break
    }
    // A summary speaks of many, so it is no value of anything.
    guard self.summary == nil else { return nil }
    if let key = Key(self.treatment.key.value, domain, self) { return key }
    // An app that gives a key and wants the latest only has made one of its own.
    guard self.mode != .all, self.key != nil else { return nil }
    return Key([[.app, .key]], domain, self)
  }

  private var domain: String {
    self.kind == .announcement ? self.facts.speechClass.word : self.kind.rawValue
  }

  /// Whether this event says anew what another has said: the words of the other are out of date.
  func corrects(_ other: Item) -> Bool {
    hasCoalescingKey(of: other)
      || app == other.app && self.key != nil && self.key == other.key
  }

  func hasCoalescingKey(of other: Item) -> Bool {
    guard let key = coalescingKey else { return false }
    return other.coalescingKey == key
  }
}
