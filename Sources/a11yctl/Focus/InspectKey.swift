// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A key of `a11yctl inspect`.
enum InspectKey: Equatable {
  /// An action of the user.
  case act(String)
  case tell(Subject)
  /// The window with this number.
  case window(Int)
  case quit
  /// A key without a meaning, by its name.
  case unknown(String)

  /// The things that a key tells.
  enum Subject {
    case element, outcomes, windows, elements, keys
  }

  /// All keys, in lines that are heard one by one.
  static let help = [
    "n or Down goes to the next element, p or Up to the previous one.",
    "f or Home goes to the first element, l or End to the last one.",
    "Enter activates, e escapes, m is the magic tap, + increments and - decrements.",
    "s stops the speech, r says the last text again.",
    "i or Space tells all about the element, o the last results of its app.",
    "w tells the windows, each with a number; that number goes to the window.",
    "t tells the elements of the window.",
    "h or ? tells these keys, q quits.",
  ]

  /// The keys that some bytes of a terminal stand for.
  static func parse(_ bytes: [UInt8]) -> [InspectKey] {
    var keys: [InspectKey] = []
    var rest = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)[...]
    while let first = rest.popFirst() {
      if first == "\u{1B}", let opening = rest.first, opening == "[" || opening == "O" {
        rest = rest.dropFirst()
        let numbers = rest.prefix { !("@"..."~").contains($0) }
        rest = rest.dropFirst(numbers.count)
        keys.append(escaped(rest.popFirst(), numbers))
      } else {
        keys.append(single(first))
      }
    }
    return keys
  }

  private static func escaped(
    _ last: Unicode.Scalar?,
    _ numbers: ArraySlice<Unicode.Scalar>
  ) -> InspectKey {
    switch (last, String(String.UnicodeScalarView(numbers))) {
    case ("A", _), ("D", _): .act("previous")
    case ("B", _), ("C", _): .act("next")
    case ("H", _), ("~", "1"), ("~", "7"): .act("first")
    case ("F", _), ("~", "4"), ("~", "8"): .act("last")
    default: .unknown("That key")
    }
  }

  private static func single(_ key: Unicode.Scalar) -> InspectKey {
    switch key {
    case "n": .act("next")
    case "p": .act("previous")
    case "f": .act("first")
    case "l": .act("last")
    case "\n", "\r": .act("activate")
    case "e": .act("escape")
    case "m": .act("magic-tap")
    // `=` is the key of `+` without shift.
    case "+", "=": .act("increment")
    case "-": .act("decrement")
    case "s": .act("stop")
    case "r": .act("repeat")
    case "i", " ": .tell(.element)
    case "o": .tell(.outcomes)
    case "w": .tell(.windows)
    case "t": .tell(.elements)
    case "h", "?": .tell(.keys)
    case "1"..."9": .window(Int(key.value) - 48)
    // Ctrl-C and Ctrl-D too.
    case "q", "\u{3}", "\u{4}": .quit
    case "\u{1B}": .unknown("Escape")
    case "\t": .unknown("Tab")
    case let key where key.value < 32 || key.value == 127: .unknown("That key")
    default: .unknown(String(Character(key)))
    }
  }
}
