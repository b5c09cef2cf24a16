// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

/// The words of a text with markup, as clients send it in SSML mode.
///
/// Only what a voice of the bus can do is read: marks, languages and what is spelled. Of all other
/// tags the words stay, and broken markup is text.
struct SsipMarkup {
  /// A stretch of words that are spoken in one manner.
  struct Stretch: Equatable {
    var words = ""
    /// The names of the places at its beginning.
    var marks: [String] = []
    var language: String?
    var isSpelled = false
  }

  private(set) var stretches: [Stretch] = []
  private var current = Stretch()
  /// The elements that are open, each with what holds outside of it.
  private var open: [(name: String, language: String?, isSpelled: Bool)] = []

  /// Ends that do not come any more.
  private var missing: [String] = []

  /// The deepest nesting that is followed; deeper elements are words without a manner.
  private static let deepest = 64

  init(_ text: String) {
    var rest = text[...]
    while let place = rest.firstIndex(where: { $0 == "<" || $0 == "&" }) {
      current.words += rest[..<place]
      rest = rest[place...]
      if rest.first == "&" {
        current.words.append(XMLEntity.take(&rest) ?? rest.removeFirst())
      } else if !takeTag(&rest) {
        current.words.append(rest.removeFirst())
      }
    }
    current.words += rest
    close()
  }

  /// Ends the stretch, where there is one.
  private mutating func close() {
    guard !current.words.isEmpty || !current.marks.isEmpty else { return }
    stretches.append(current)
    (current.words, current.marks) = ("", [])
  }

  // MARK: Tags

  private mutating func takeTag(_ rest: inout Substring) -> Bool {
    if rest.hasPrefix("<!--") { return skip(&rest, behind: "-->") }
    guard let second = rest.dropFirst().first else { return false }
    if second == "!" || second == "?" { return skip(&rest, behind: ">") }
    guard second == "/" || second.isLetter, let tag = Tag(&rest) else { return false }
    if tag.isEnd {
      end(tag.name)
    } else {
      begin(tag)
      if tag.isEmpty { end(tag.name) }
    }
    return true
  }

  private mutating func skip(_ rest: inout Substring, behind end: String) -> Bool {
    // What was looked for in vain is not looked for again: a text has many beginnings.
    guard !missing.contains(end) else { return false }
    var place = rest.startIndex
    while place < rest.endIndex {
      if rest[place...].hasPrefix(end) {
        rest = rest[rest.index(place, offsetBy: end.count)...]
        return true
      }
      place = rest.index(after: place)
    }
    missing.append(end)
    return false
  }

  private mutating func begin(_ tag: Tag) {
    if tag.name == "mark" {
      // A mark begins a stretch, but several at one place have it together.
      if !current.words.isEmpty { close() }
      if let name = tag.attributes["name"] { current.marks.append(name) }
      return
    }
    guard open.count < Self.deepest else { return }
    open.append((tag.name, current.language, current.isSpelled))
    let language = tag.attributes["xml:lang"] ?? current.language
    let manner = tag.attributes["interpret-as"]
    let isSpelled =
      current.isSpelled
      || tag.name == "say-as" && ["characters", "spell-out", "tts:char"].contains(manner)
    change(language, isSpelled)
  }

  private mutating func end(_ name: String) {
    guard let place = open.lastIndex(where: { $0.name == name }) else { return }
    let outside = open[place]
    open.removeSubrange(place...)
    change(outside.language, outside.isSpelled)
  }

  private mutating func change(_ language: String?, _ isSpelled: Bool) {
    guard language != current.language || isSpelled != current.isSpelled else { return }
    if !current.words.isEmpty { close() }
    (current.language, current.isSpelled) = (language, isSpelled)
  }
}

/// A tag: its name, and what it says.
private struct Tag {
  let name: String
  let isEnd: Bool
  /// Whether it is its own end.
  let isEmpty: Bool
  private(set) var attributes: [String: String] = [:]

  /// Attributes of a tag that are read; further ones say nothing that we know.
  private static let mostAttributes = 16

  /// Takes a tag off a text that begins with one; nil, and nothing taken, where it does not end.
  init?(_ text: inout Substring) {
    var rest = text.dropFirst()
    isEnd = rest.first == "/"
    if isEnd { rest.removeFirst() }
    name = String(Self.takeName(&rest))
    while true {
      rest = rest.drop { $0.isWhitespace }
      guard let next = rest.first else { return nil }
      if next == ">" { break }
      if next == "/" {
        rest.removeFirst()
        continue
      }
      guard Self.takeAttribute(&rest, into: &attributes) else { return nil }
    }
    isEmpty = text[..<rest.startIndex].last == "/"
    text = rest.dropFirst()
  }

  private static func takeName(_ rest: inout Substring) -> Substring {
    let name = rest.prefix { !$0.isWhitespace && !">/=<".contains($0) }
    rest = rest[name.endIndex...]
    return name
  }

  private static func takeAttribute(
    _ rest: inout Substring,
    into attributes: inout [String: String]
  ) -> Bool {
    let name = takeName(&rest)
    guard !name.isEmpty else { return false }
    rest = rest.drop { $0.isWhitespace }
    guard rest.first == "=" else { return true }
    rest = rest.dropFirst().drop { $0.isWhitespace }
    guard let quote = rest.first, quote == "\"" || quote == "'" else { return false }
    rest.removeFirst()
    guard let end = rest.firstIndex(of: quote) else { return false }
    if attributes.count < mostAttributes { attributes[String(name)] = plain(rest[..<end]) }
    rest = rest[rest.index(after: end)...]
    return true
  }

  /// A value with its entities read.
  private static func plain(_ value: Substring) -> String {
    var plain = ""
    var rest = value
    while let first = rest.first {
      plain.append((first == "&" ? XMLEntity.take(&rest) : nil) ?? rest.removeFirst())
    }
    return plain
  }
}
