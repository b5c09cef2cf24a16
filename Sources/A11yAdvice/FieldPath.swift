// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The field of an event that advice is about: enough to write its path, and no more.
enum FieldPath {
  case text
  case run(Int)
  /// A member of an element, by the list that it stands in.
  case element(StaticString, Int, StaticString)

  var path: String {
    switch self {
    case .text: "event.text"
    case .run(let position): "event.text[\(position)].text"
    case .element(let list, let position, let member): "event.\(list)[\(position)].\(member)"
    }
  }
}
