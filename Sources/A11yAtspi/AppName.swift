// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

/// Names of foreign programs as the bus takes them.
package enum AppName {
  private static let mostBytes = 128

  /// The name without what nobody sees, cut to its bound; nil where nothing is left, or what no
  /// program may be called.
  package static func of(_ name: String) -> String? {
    var seen = String.UnicodeScalarView()
    seen.append(contentsOf: name.unicodeScalars.lazy.map { Self.isVisible($0) ? $0 : " " })
    var cut = ""
    for character in PlainText.collapsed(String(seen)) {
      guard cut.utf8.count + character.utf8.count <= mostBytes else { break }
      cut.append(character)
    }
    while cut.last?.isWhitespace ?? false { cut.removeLast() }
    return cut.isEmpty || AppLabel.fault(cut, uid: .max) != nil ? nil : cut
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool { !AppLabel.isHidden(scalar) }
}
