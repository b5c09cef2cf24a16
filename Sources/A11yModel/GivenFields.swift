// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// The values of an element's object, by the numbers of their fields in the schema.
struct GivenFields {
  private var places = [24 of Int32](repeating: 0)
  private(set) var redacted: LengthClass?

  init(_ object: JSONIndex, of line: JSONDocument, _ schema: Fields) {
    var key = object + 1
    while key < line.end(object) {
      if let number = schema.index(of: line.raw(key)) {
        places[number] = Int32(key + 1)
      } else if line.isKey(key, "redacted") {
        redacted = line.stringIfAny(key + 1).flatMap(LengthClass.init(rawValue:))
      }
      key = line.end(key + 1)
    }
  }

  subscript(number: Int) -> JSONIndex? {
    places[number] == 0 ? nil : JSONIndex(places[number])
  }
}
