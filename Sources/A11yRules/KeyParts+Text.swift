// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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

  /// As rules have it.
  public var text: String {
    Self.named.filter { contains($0.part) }.map(\.name).joined(separator: "+")
  }
}

extension RuleValue {
  /// One key, or those of which the first counts whose parts are all there.
  func key() throws(Misfit) -> [KeyParts] {
    if self == .text("") || self == .text("none") { return [] }
    return try list { value throws(Misfit) in
      let names = KeyParts.names
      var got = value
      if case .text(let text) = value {
        if let parts = KeyParts(text) { return parts }
        // Of several the one that is wrong.
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
