// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// By what events are told apart, or belong together.
struct Key: Marked {
  /// What keeps apart what is alike otherwise: a stage, a type, a rule.
  var domain: String
  var uid: UInt32
  var app: Name
  var window: Name?
  var element: Name?
  var key: Name?
  /// What is said, where that makes the difference.
  var print: Fingerprint?

  init(
    _ domain: String,
    _ app: AppKey,
    window: Name? = nil,
    element: Name? = nil,
    print: Fingerprint? = nil
  ) {
    self.domain = domain
    uid = app.uid
    self.app = app.app
    self.window = window
    self.element = element
    self.print = print
  }

  // Apps choose the names, and classes of their own; marks and the factor are nobody's to foretell.
  var mark: Int {
    var mark = app.mark &+ Int(uid)
    for unit in domain.utf8 { mark = (mark ^ Int(unit)) &* Self.factor }
    mark = mark &* 31 &+ (window?.mark ?? 0)
    mark = mark &* 31 &+ (element?.mark ?? 0)
    mark = mark &* 31 &+ (key?.mark ?? 0)
    return spread(Int64(mark), seed: 0) &+ (print?.mark ?? 0)
  }

  private static let factor = Int.random(in: .min ... .max) | 1

  /// The key that a treatment makes of what is known of an event; nil where no way of making one has
  /// all its parts.
  init?(_ ways: [KeyParts], _ domain: String, _ item: borrowing Item) {
    for parts in ways {
      if parts.contains(.window), item.facts.window == nil { continue }
      if parts.contains(.element), item.facts.element == nil { continue }
      if parts.contains(.key), item.key == nil { continue }
      self.init(domain, item.app)
      if parts.contains(.window) { window = item.facts.window }
      if parts.contains(.element) { element = item.facts.element }
      if parts.contains(.key) { key = item.key }
      return
    }
    return nil
  }
}
