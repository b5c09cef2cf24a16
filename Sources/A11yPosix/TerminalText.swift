// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Text of strangers, made fit for one line of a terminal or a log file.
///
/// A label may hold anything: an escape sequence that retitles the window, a line break that forges
/// a log line, an override that makes text read backwards. What breaks a line becomes a space, what
/// steers the display becomes U+FFFD, and all else stays.
package enum TerminalText {
  package static func neutralised(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { substitute(for: $0) != nil }) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { result.append(substitute(for: scalar) ?? scalar) }
    return String(result)
  }

  private static func substitute(for scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.value {
    case 0x09...0x0D, 0x85, 0x2028, 0x2029: " "
    case 0x00...0x1F, 0x7F...0x9F: "\u{FFFD}"
    // Marks, embeddings, overrides and isolates of bidirectional text.
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: "\u{FFFD}"
    default: nil
    }
  }
}
