// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

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

/// A text in which each `*` stands for any run of characters, an empty one too.
///
/// Compared byte by byte, as names are; nothing stands for a `*` itself.
public struct Pattern: Hashable, Sendable {
  public let text: String
  /// The texts between the stars, in order; a single one where there is no star.
  private let parts: [[UInt8]]

  /// The longest pattern: the longest name, with as many bytes again for stars.
  public static let bytes = 2 * Limits.nameBytes

  public init(_ text: String) {
    self.text = text
    parts = Array(text.utf8)
      .split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map(Array.init)
  }

  /// Whether it stands for one text alone.
  var isLiteral: Bool { parts.count == 1 }

  public static func == (a: Pattern, b: Pattern) -> Bool {
    a.text.utf8.elementsEqual(b.text.utf8)
  }

  public func hash(into hasher: inout Hasher) { Name(text).hash(into: &hasher) }

  public func matches(_ name: Name) -> Bool { matches(name.text.utf8Span.span) }

  public func matches(_ bytes: Span<UInt8>) -> Bool {
    let last = parts.count - 1
    if last == 0 { return bytes.equals(parts[0]) }
    var place = parts[0].count
    let end = bytes.count - parts[last].count
    guard place <= end, Self.stands(parts[0], in: bytes, at: 0),
      Self.stands(parts[last], in: bytes, at: end)
    else { return false }
    // The first place of a part leaves the most room for the parts behind it.
    for part in parts[1..<last] where !part.isEmpty {
      guard let found = Self.place(of: part, in: bytes, from: place, to: end) else { return false }
      place = found + part.count
    }
    return true
  }

  private static func stands(_ part: [UInt8], in bytes: Span<UInt8>, at place: Int) -> Bool {
    for index in part.indices where bytes[place + index] != part[index] { return false }
    return true
  }

  private static func place(
    of part: [UInt8],
    in bytes: Span<UInt8>,
    from start: Int,
    to end: Int
  ) -> Int? {
    var place = start
    while place + part.count <= end {
      if stands(part, in: bytes, at: place) { return place }
      place += 1
    }
    return nil
  }
}

/// The parts of an event that make its key.
public struct KeyParts: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let app = KeyParts(rawValue: 1)
  public static let window = KeyParts(rawValue: 2)
  public static let element = KeyParts(rawValue: 4)
  public static let type = KeyParts(rawValue: 8)
  public static let `class` = KeyParts(rawValue: 16)
  /// The key that the event itself gives.
  public static let key = KeyParts(rawValue: 32)
}

extension KeyParts {
  /// All parts by their names, in the order in which they are written.
  private static let named: [(name: String, part: KeyParts)] = [
    ("app", .app), ("window", .window), ("element", .element), ("type", .type),
    ("class", .class), ("key", .key),
  ]

  static var names: [String] { named.map(\.name) }

  /// Reads “app+window”; nil where a part is none.
  init?(_ text: String) {
    self = []
    for word in text.split(separator: "+", omittingEmptySubsequences: false) {
      let name = word.filter { $0 != " " }
      guard let part = Self.named.first(where: { $0.name == name })?.part, !contains(part) else {
        return nil
      }
      insert(part)
    }
  }

  /// The parts as rules have them: “app+window”.
  public var text: String {
    Self.named.filter { contains($0.part) }.map(\.name).joined(separator: "+")
  }
}

extension RuleValue {
  /// One key, or several, of which the first counts whose parts an event has.
  func key() throws(Misfit) -> [KeyParts] {
    if self == .text("") || self == .text("none") { return [] }
    return try list { value throws(Misfit) in
      let names = KeyParts.names
      var got = value
      if case .text(let text) = value {
        if let parts = KeyParts(text) { return parts }
        // Shows the wrong part alone.
        let stranger = text.split(separator: "+").first { !names.contains($0.filter { $0 != " " }) }
        if let stranger { got = .text(String(stranger)) }
      }
      throw Misfit(
        "\(names.joined(separator: ", ")), some of them with + between, or \"none\"",
        choices: names + ["none"],
        got: got
      )
    }
  }
}
