// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import DBus

/// A look at the text of an object, with the texts of the objects that stand in it.
///
/// A message of a page has some ten objects; the bounds are for one that is a whole page.
final class TextWalk {
  static let text = "org.a11y.atspi.Text"

  private let inquiry: SourceInquiry
  private var asked = 0

  private static let mostObjects = 32
  private static let mostDepth = 8
  private static let sign: Unicode.Scalar = "\u{fffc}"

  init(asking inquiry: SourceInquiry) { self.inquiry = inquiry }

  /// Reads an object; nil where it has no text and no name.
  func readObject(
    _ source: SourceObject,
    depth: Int = 0,
    _ onEnd: @escaping (_ text: String?, _ inner: [SourceObject]) -> Void
  ) {
    guard asked < Self.mostObjects, depth < Self.mostDepth else { return onEnd(nil, []) }
    asked += 1
    var isNamed = false
    var name: String?
    inquiry.call(source, "GetRole") { answer in
      isNamed = answer.first?.number.map { AtspiRole($0).isNamed } ?? false
    }
    inquiry.askOwnName(of: source) { name = $0 }
    inquiry.call(source, "GetText", in: Self.text, [.int32(0), .int32(-1)]) { answer in
      // The text in a control that its page names is never read.
      if isNamed, let name { return onEnd(name, []) }
      guard let text = answer.first?.text, !text.isEmpty else {
        return self.readWithoutText(source, depth, onEnd)
      }
      self.readParts(of: text, at: 0, in: source, depth: depth) { parts in
        let inner = parts.flatMap { [$0.source] + $0.inner }
        onEnd(Self.join(text, parts.map(\.text)), inner)
      }
    }
  }

  /// Reads an object that has a name alone, or objects in it.
  private func readWithoutText(
    _ source: SourceObject,
    _ depth: Int,
    _ onEnd: @escaping (String?, [SourceObject]) -> Void
  ) {
    inquiry.property("Name", of: source) { answer in
      if let name = answer?.text, !name.isEmpty, !SourceFacts.isClass(name) {
        return onEnd(name, [])
      }
      self.readMembers(of: source, depth: depth) { parts in
        let text = parts.map(\.text).filter { !$0.isEmpty }.joined(separator: " ")
        onEnd(text.isEmpty ? nil : text, parts.flatMap { [$0.source] + $0.inner })
      }
    }
  }

  /// Reads the objects in an object.
  func readMembers(
    of source: SourceObject,
    depth: Int = 0,
    _ onEnd: @escaping ([TextPart]) -> Void
  ) {
    inquiry.askChildren(source) { children in
      self.readAll(children[...], depth + 1, [], onEnd)
    }
  }

  /// Reads the objects whose signs are in a text; the text begins at a place in the object.
  func readParts(
    of text: String,
    at start: Int64,
    in source: SourceObject,
    depth: Int = 0,
    _ onEnd: @escaping ([TextPart]) -> Void
  ) {
    askObjects(of: text, at: start, in: source) { objects in
      self.readAll(objects[...], depth + 1, [], onEnd)
    }
  }

  /// Asks for the objects whose signs are in a text.
  func askObjects(
    of text: String,
    at start: Int64,
    in source: SourceObject,
    _ onEnd: @escaping ([SourceObject]) -> Void
  ) {
    let places = text.unicodeScalars.enumerated().filter { $0.element == Self.sign }.map(\.offset)
    guard let first = places.first else { return onEnd([]) }
    let hypertext = "org.a11y.atspi.Hypertext"
    let place = DBusValue.int32(Int32(clamping: start + Int64(first)))
    inquiry.call(source, "GetLinkIndex", in: hypertext, [place]) { answer in
      guard let index = answer.first?.number, index >= 0 else { return onEnd([]) }
      self.askLinks(of: source, from: index, places.prefix(Self.mostObjects).count, onEnd)
    }
  }

  /// Asks for the objects of neighbouring links, in their order.
  private func askLinks(
    of source: SourceObject,
    from index: Int64,
    _ count: Int,
    _ onEnd: @escaping ([SourceObject]) -> Void
  ) {
    var objects: [SourceObject?] = Array(repeating: nil, count: count)
    var left = count
    for number in 0..<count {
      let link = DBusValue.int32(Int32(clamping: index + Int64(number)))
      inquiry.call(source, "GetLink", in: "org.a11y.atspi.Hypertext", [link]) { answer in
        let finish: (SourceObject?) -> Void = { object in
          objects[number] = object
          left -= 1
          if left == 0 { onEnd(objects.compactMap { $0 }) }
        }
        guard let link = SourceInquiry.object(answer.first, of: source.sender) else {
          return finish(nil)
        }
        self.inquiry.call(link, "GetObject", in: "org.a11y.atspi.Hyperlink", [.int32(0)]) {
          finish(SourceInquiry.object($0.first, of: source.sender))
        }
      }
    }
  }

  /// Reads objects one after the other.
  private func readAll(
    _ objects: ArraySlice<SourceObject>,
    _ depth: Int,
    _ parts: [TextPart],
    _ onEnd: @escaping ([TextPart]) -> Void
  ) {
    guard let first = objects.first, asked < Self.mostObjects else { return onEnd(parts) }
    readObject(first, depth: depth) { text, inner in
      let part = TextPart(first, text ?? "", inner: inner)
      self.readAll(objects.dropFirst(), depth, parts + [part], onEnd)
    }
  }

  /// A text with other texts in the places of objects.
  private static func join(_ text: String, _ parts: [String]) -> String {
    var left = parts[...]
    return text.unicodeScalars.split(separator: sign, omittingEmptySubsequences: false)
      .map(String.init)
      .reduce(nil as String?) { whole, piece in
        guard let whole else { return piece }
        return "\(whole) \(left.popFirst() ?? "") \(piece)"
      } ?? ""
  }
}
