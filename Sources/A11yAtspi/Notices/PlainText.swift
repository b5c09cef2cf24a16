// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Words without the markup that the bodies of notifications may have.
///
/// The desktop's specification allows a few tags and the entities of XML, and many programs send
/// plain text all the same; so a sign that begins no tag and no entity stays as it is.
package enum PlainText {
  /// The longest text that is looked at; readers cut far earlier.
  private static let mostCharacters = 16_384
  /// The longest tag in bytes, with the address of a link in it.
  private static let longestTag = 2_048
  private static let longestEntity = 10
  /// Tags that stand between words.
  private static let breaks: Set = [
    "br", "p", "div", "li", "tr", "td", "ul", "ol", "h1", "h2", "h3",
  ]
  private static let entities: [String: String] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ",
  ]

  /// The words of a text with markup.
  package static func of(markup: String) -> String {
    var words = ""
    var rest = markup.prefix(mostCharacters)
    // The next sign that ends a tag: looked for once, however many signs begin one.
    var end = rest.startIndex
    while let sign = rest.first {
      switch sign {
      case "<":
        if end <= rest.startIndex { end = rest.firstIndex(of: ">") ?? rest.endIndex }
        guard let (tag, after) = tag(in: rest, upTo: end) else { fallthrough }
        words += substitute(for: tag)
        rest = after
      case "&":
        guard let (entity, after) = entity(in: rest) else { fallthrough }
        words += entity
        rest = after
      default:
        words.append(sign)
        rest.removeFirst()
      }
    }
    return collapsed(words)
  }

  /// The text with single spaces for all runs of white space and control characters.
  package static func collapsed(_ text: String) -> String {
    if isPlain(text) { return text }
    return text.prefix(mostCharacters)
      .split { $0.isWhitespace || $0.unicodeScalars.allSatisfy(isControl) }
      .joined(separator: " ")
  }

  /// Whether a text is short ASCII with single spaces between its words, as most are.
  private static func isPlain(_ text: String) -> Bool {
    guard text.utf8.count <= mostCharacters else { return false }
    let space = UInt8(ascii: " ")
    var last = space
    for byte in text.utf8 {
      guard (space..<0x7f).contains(byte), byte != space || last != space else { return false }
      last = byte
    }
    return last != space
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control
  }

  private static func tag(
    in text: Substring,
    upTo end: Substring.Index
  ) -> (tag: Substring, after: Substring)? {
    let inside = text.dropFirst()
    let name = inside.first == "/" ? inside.dropFirst() : inside
    guard let initial = name.first, initial.isASCII, initial.isLetter || initial == "!",
      end < text.endIndex, text.utf8.distance(from: text.startIndex, to: end) <= longestTag
    else { return nil }
    return (inside[..<end], inside[inside.index(after: end)...])
  }

  private static func substitute(for tag: Substring) -> String {
    let name = tag.drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber }.lowercased()
    if name == "img" { return alternative(in: tag).map { " \($0) " } ?? "" }
    return breaks.contains(name) ? " " : ""
  }

  /// The words in place of a picture.
  private static func alternative(in tag: Substring) -> String? {
    guard let start = tag.firstRange(of: "alt=")?.upperBound, start < tag.endIndex else {
      return nil
    }
    let quote = tag[start]
    guard quote == "\"" || quote == "'" else { return nil }
    return of(markup: String(tag[tag.index(after: start)...].prefix { $0 != quote }))
  }

  private static func entity(in text: Substring) -> (String, after: Substring)? {
    let inside = text.dropFirst()
    guard let end = inside.prefix(longestEntity).firstIndex(of: ";") else { return nil }
    let name = inside[..<end]
    let after = inside[inside.index(after: end)...]
    if let known = entities[String(name)] { return (known, after) }
    guard name.first == "#" else { return nil }
    let digits = name.dropFirst()
    let number =
      digits.first == "x" || digits.first == "X"
      ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    guard let number, let scalar = Unicode.Scalar(number), number > 0 else { return nil }
    return (String(Character(scalar)), after)
  }
}
