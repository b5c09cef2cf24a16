// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// What in an event advice is about, as little as it takes to write the way to it.
enum Field {
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
