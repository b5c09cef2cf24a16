// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// Texts that take long to be said.
enum TextLength {
  /// Half a minute at a usual pace.
  static let long = 500
  /// What is behind this is not said.
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
    // Nearly always its bytes are no more, and need not be counted.
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
