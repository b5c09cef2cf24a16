// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// Texts that take long to speak.
enum TextLength {
  /// Characters of half a minute at a usual pace.
  static let long = 500
  /// The most characters that are spoken at all.
  static let longest = 4_000

  static func checkLoss(_ characters: Int, into list: inout AdviceList) {
    guard characters > longest else { return }
    list.add(
      .textTruncated,
      "event.text",
      "Shorten the text to \(longest) characters; of its \(characters) the rest is not spoken."
    )
  }

  static func checkLength(_ text: Span<UInt8>, into list: inout AdviceList) {
    // Nearly always the bytes are so few that the characters need not be counted.
    guard text.count > long else { return }
    let characters = text.scalarCount
    guard characters > long, characters <= longest else { return }
    list.add(
      .textLong,
      "event.text",
      "Shorten the text to \(long) characters; it has \(characters), and nobody can go back in it."
    )
  }
}
