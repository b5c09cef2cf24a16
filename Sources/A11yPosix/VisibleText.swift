// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Text of strangers, with everything in it visible.
///
/// A label may hold anything: an escape sequence that clears the screen, a line break that forges a
/// line of ours, an override that makes a path read backwards, letters that nobody sees. Each such
/// character is shown as its number, so that the eye and the ear get what is really there.
package enum VisibleText {
  /// The text with each character that is not plainly visible as `<U+202E>`.
  package static func of(_ text: String) -> String {
    of(text) { "<U+\(number($0))>" }
  }

  /// The JSON text, of the same meaning, with each such character as an escape.
  package static func ofJSON(_ text: String) -> String {
    of(text) { scalar in
      scalar.utf16.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    }
  }

  private static func of(_ text: String, _ shown: (Unicode.Scalar) -> String) -> String {
    // ASCII that can be printed is nearly all there is.
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
    var result = String.UnicodeScalarView()
    let scalars = Array(text.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      let before = index > 0 ? scalars[index - 1] : nil
      let after = index + 1 < scalars.count ? scalars[index + 1] : nil
      if isVisible(scalar, between: before, and: after) {
        result.append(scalar)
      } else {
        result.append(contentsOf: shown(scalar).unicodeScalars)
      }
    }
    return String(result)
  }

  private static func isVisible(
    _ scalar: Unicode.Scalar,
    between before: Unicode.Scalar?,
    and after: Unicode.Scalar?
  ) -> Bool {
    switch scalar.value {
    // Joiners and non-joiners are spelling in Persian and in the scripts of India; they are kept
    // between such letters, and in emoji that are made of several.
    case 0x200C, 0x200D: return isJoined(before) && isJoined(after)
    // So is what makes a picture of a sign.
    case 0xFE0F: return before?.properties.isEmoji ?? false
    default: break
    }
    if scalar.properties.isDefaultIgnorableCodePoint { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: return false
    default: return true
    }
  }

  /// Whether this is a letter or picture that may stand beside a joiner.
  private static func isJoined(_ scalar: Unicode.Scalar?) -> Bool {
    guard let scalar, scalar.value >= 0x0590 else { return false }
    let properties = scalar.properties
    return properties.isAlphabetic || properties.isEmoji || scalar.value == 0xFE0F
      || properties.generalCategory == .nonspacingMark
  }

  private static func number(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
