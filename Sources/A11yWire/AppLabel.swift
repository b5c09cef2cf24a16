// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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
