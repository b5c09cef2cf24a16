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
