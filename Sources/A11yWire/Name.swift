// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The name of an app, a window or an element, told from others byte by byte.
///
/// Strings count two spellings of one letter as the same text. Names are their senders' own, and
/// who chose two of them meant two things.
package struct Name: Hashable, Sendable {
  package let text: String
  /// A number of its bytes that nobody outside of this process can foretell, and that no two names
  /// share.
  ///
  /// A name is made once and then looked up and compared many times.
  package let mark: Int

  package init(_ text: String) {
    self.text = text
    var hasher = Hasher()
    var text = text
    text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    mark = hasher.finalize()
  }

  @inlinable package static func == (a: Name, b: Name) -> Bool {
    a.mark == b.mark && a.text == b.text
  }

  @inlinable package func hash(into hasher: inout Hasher) { hasher.combine(mark) }

  // Nobody can choose names whose marks meet in a table.
  @inlinable package func _rawHashValue(seed: Int) -> Int { mark ^ seed }
}

extension JSONDocument {
  /// What a string says, as a name; nil for any other value.
  package func name(_ value: JSONIndex) -> Name? { stringIfAny(value).map(Name.init) }

  package func name(_ member: StaticString, of object: JSONIndex) -> Name? {
    guard let value = self.member(member, of: object) else { return nil }
    return name(value)
  }

  /// Copies a value with all that is in it, without the space between.
  package func copyAll(_ value: JSONIndex, into out: inout ByteBuffer) {
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
