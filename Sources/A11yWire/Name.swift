// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The name of an app, a window or an element, told from others byte by byte.
///
/// Strings count two spellings of one letter as the same text; a sender that spells two names
/// differently means two things.
public struct Name: TableKey, Sendable {
  public let text: String
  /// The hash of the bytes, which nobody outside of this process can foretell.
  ///
  /// Kept, because a name is made once and then looked up and compared many times.
  public let mark: Int

  public init(_ text: String) {
    self.text = text
    var hasher = Hasher()
    var text = text
    text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    mark = hasher.finalize()
  }

  public static func == (a: Name, b: Name) -> Bool {
    a.mark == b.mark && a.text == b.text
  }

  public var tableNumber: Int64 { Int64(mark) }
}

extension JSONDocument {
  /// The text of a string as a name; nil for any other value.
  public func name(_ value: JSONIndex) -> Name? { stringIfAny(value).map(Name.init) }

  public func name(_ member: StaticString, of object: JSONIndex) -> Name? {
    guard let value = self.member(member, of: object) else { return nil }
    return name(value)
  }

  /// Copies a value with all that is in it, without the space between.
  public func copyAll(_ value: JSONIndex, into out: inout ByteBuffer) {
    switch kind(value) {
    case .object, .list: copyContainer(value, into: &out)
    case .string, .number, .yes, .no, .null: copy(value, into: &out)
    }
  }

  private func copyContainer(_ container: JSONIndex, into out: inout ByteBuffer) {
    let isObject = kind(container) == .object
    out.append(isObject ? "{" : "[")
    var next = container + 1
    while next < end(container) {
      if next > container + 1 { out.append(",") }
      if isObject {
        copy(next, into: &out)
        out.append(":")
        next += 1
      }
      copyAll(next, into: &out)
      next = end(next)
    }
    out.append(isObject ? "}" : "]")
  }
}

/// The name that an app gives itself: people read and hear it, and rules are written for it, so
/// that no app may pass for another or for the bus.
public enum AppLabel {
  /// The bus's own name.
  public static let bus = "a11yd"

  /// What was expected instead of this name of a user's app; nil where it is fine.
  public static func fault(_ name: String, uid: UInt32) -> String? {
    let folded = name.lowercased()
    if folded == bus { return "expected another name; a11yd is the bus itself" }
    let own = "uid:\(uid)"
    if folded.hasPrefix("uid:"), name != own {
      return "expected another name; of those with uid: this user's apps have \(own) alone"
    }
    if name.unicodeScalars.contains(where: isHidden) {
      return "expected a name without invisible characters and controls of direction"
    }
    let ends = [name.unicodeScalars.first, name.unicodeScalars.last]
    if ends.contains(where: { $0?.properties.isWhitespace ?? false }) {
      return "expected a name that neither begins nor ends with a blank"
    }
    return nil
  }

  /// Whether nobody sees the character, or it turns round what stands beside it.
  ///
  /// Two that join letters are part of how words are written.
  public static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\u{200C}", "\u{200D}": return false
    // A cell of braille without dots, which is a letter to Unicode.
    case "\u{2800}": return true
    default: break
    }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: return true
    default: return scalar.properties.isDefaultIgnorableCodePoint
    }
  }
}

/// Finds the known name that an unknown one was probably meant to be.
package enum NearestName {
  /// “; did you mean a, b or c?”; empty where none is near.
  package static func question(_ near: [String]) -> String {
    guard let last = near.last else { return "" }
    let words = near.count == 1 ? last : near.dropLast().joined(separator: ", ") + " or " + last
    return "; did you mean \(words)?"
  }

  /// The question about the nearest of `names`.
  package static func question(_ name: String, among names: some Sequence<String>) -> String {
    question(to(name, among: names).map { [$0] } ?? [])
  }

  /// The nearest of `names`, if one is near enough to be worth offering.
  ///
  /// Near enough is a third of the letters: “retain_day” is one letter from “retain_days”, while
  /// “colour” and “socket”, of six letters each, differ in five and have nothing in common.
  package static func to(_ name: String, among names: some Sequence<String>) -> String? {
    let written = Array(name.lowercased().unicodeScalars)
    let farthest = max(1, written.count / 3)
    var nearest: (name: String, distance: Int)?
    for candidate in names {
      let letters = Array(candidate.unicodeScalars)
      // Names are short; a text far longer than all of them costs no comparison.
      guard abs(letters.count - written.count) <= farthest else { continue }
      let distance = steps(from: written, to: letters)
      if distance <= farthest, distance < nearest?.distance ?? .max {
        nearest = (candidate, distance)
      }
    }
    return nearest?.name
  }

  /// The number of letters to add, drop, change, or swap with their neighbour.
  private static func steps(from one: [Unicode.Scalar], to other: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...other.count)
    for row in one.indices {
      var current = [row + 1]
      for column in other.indices {
        var least = min(
          last[column + 1] + 1,
          current[column] + 1,
          last[column] + (one[row] == other[column] ? 0 : 1)
        )
        if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
          least = min(least, beforeLast[column - 1] + 1)
        }
        current.append(least)
      }
      (beforeLast, last) = (last, current)
    }
    return last[other.count]
  }
}
