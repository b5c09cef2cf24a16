// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The name of an app, a window or an element, told from others byte by byte.
///
/// Strings count two spellings of one letter as the same text. Names are their senders' own, and
/// who chose two of them meant two things.
public struct Name: Hashable, Sendable {
  public let text: String
  /// A number of its bytes that nobody outside of this process can foretell, and that no two names
  /// share.
  ///
  /// A name is made once and then looked up and compared many times.
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

  public func hash(into hasher: inout Hasher) { hasher.combine(mark) }

  // Nobody can choose names whose marks meet in a table.
  public func _rawHashValue(seed: Int) -> Int { mark ^ seed }
}

extension JSONDocument {
  /// What a string says, as a name; nil for any other value.
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
