// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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
