// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// The matchers of a rule, which matches where each of them finds one of its values.
public struct Matchers: Equatable, Sendable {
  public var types: [Topic]?
  /// Any words, because apps may invent classes.
  public var classes: [String]?
  public var apps: [Pattern]?
  public var windows: [Pattern]?
  public var elements: [Pattern]?
  public var priorities: [Priority]?
  /// Bits as in `Facts.traits`; one common bit is enough.
  public var traits: UInt32?
  public var causes: [Causation]?
  public var isForeground: Bool?
  public var isFocused: Bool?
  public var isContinuous: Bool?
  public var origins: [String]?
  public var texts: [Pattern]?

  public init() {}
}

/// The text of an event, unescaped when the first rule asks for it.
struct UnescapedText {
  private let written: [UInt8]?
  private var read: [UInt8]?

  init(_ written: [UInt8]?) { self.written = written }

  /// Whether one of the patterns matches; none matches a text that nobody may know.
  mutating func matches(_ patterns: [Pattern]) -> Bool {
    guard let written else { return false }
    let text = read ?? written.span.unescaped
    read = text
    return patterns.contains { $0.matches(text.span) }
  }
}

extension Matchers {
  /// Whether only the event itself can tell if they match, because names, traits and texts have too
  /// many values for a table.
  var areOpen: Bool {
    apps != nil || windows != nil || elements != nil || traits != nil || origins != nil
      || texts != nil
  }

  /// Whether the open matchers match; the others are known to.
  func match(_ facts: borrowing Facts, _ text: inout UnescapedText) -> Bool {
    if let traits, facts.traits & traits == 0 { return false }
    if let classes, case .other(let word) = facts.speechClass {
      guard classes.contains(where: { Name($0) == Name(word) }) else { return false }
    }
    if let apps, !apps.contains(where: { $0.matches(facts.app) }) { return false }
    if let windows, !Self.find(facts.window, windows) { return false }
    if let elements, !Self.find(facts.element, elements) { return false }
    if let origins {
      guard let origin = facts.origin, origins.contains(where: { Name($0) == origin }) else {
        return false
      }
    }
    if let texts, !text.matches(texts) { return false }
    return true
  }

  private static func find(_ name: Name?, _ patterns: [Pattern]) -> Bool {
    guard let name else { return false }
    return patterns.contains { $0.matches(name) }
  }
}
