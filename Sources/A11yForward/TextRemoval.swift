// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

extension JSONDocument {
  /// Appends an entry without the words in it, sealed anew and without a newline.
  package func writeWithoutTexts(into out: inout ByteBuffer) {
    let start = out.count
    writeMembers(of: root, into: &out)
    out.seal(from: start)
    out.truncate(to: out.count - 1)
  }

  /// Appends the brace and the members of an object, but for words and seal.
  private func writeMembers(of object: JSONIndex, into out: inout ByteBuffer) {
    out.append("{")
    let front = out.count
    var key = object + 1
    while key < end(object) {
      let value = key + 1
      if !isWord(key), !isNameOfAction(key, in: object), !(object == root && isKey(key, "crc")) {
        if out.count > front { out.append(",") }
        writeString(key, into: &out)
        out.append(":")
        writeValue(value, into: &out)
      }
      key = end(value)
    }
  }

  private func writeValue(_ value: JSONIndex, into out: inout ByteBuffer) {
    switch kind(value) {
    case .object:
      writeMembers(of: value, into: &out)
      out.append("}")
    case .list:
      out.append("[")
      let front = out.count
      var item = value + 1
      while item < end(value) {
        if out.count > front { out.append(",") }
        writeValue(item, into: &out)
        item = end(item)
      }
      out.append("]")
    case .string: writeString(value, into: &out)
    case .number: out.append(raw(value))
    case .yes: out.append("true")
    case .no: out.append("false")
    case .null: out.append("null")
    }
  }

  /// Appends a string as it was written.
  private func writeString(_ string: JSONIndex, into out: inout ByteBuffer) {
    out.append("\"")
    out.append(raw(string))
    out.append("\"")
  }

  /// Whether a member with this key holds words that were written for people.
  private func isWord(_ key: JSONIndex) -> Bool {
    isKey(key, "text") || isKey(key, "label") || isKey(key, "value") || isKey(key, "hint")
      || isKey(key, "title") || isKey(key, "speak") || isKey(key, "actions")
  }

  /// Whether a member of the event is the name that an app has given to an action.
  private func isNameOfAction(_ key: JSONIndex, in object: JSONIndex) -> Bool {
    guard isKey(key, "name"), object == member("event", of: root) else { return false }
    return !Self.gestures.contains(string(key + 1))
  }

  /// The names of gestures that are the bus's own words.
  private static var gestures: [String] {
    ["activate", "increment", "decrement", "scroll", "escape", "magic-tap"]
  }
}
