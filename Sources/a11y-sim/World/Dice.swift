// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

/// Random choices that a seed repeats on every machine.
///
/// The generator is SplitMix64. It is shared by reference: whatever in a run needs a choice takes
/// it from the same row, so that one number is the whole run.
final class Dice {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to, but not including, `bound`.
  func below(_ bound: Int) -> Int {
    precondition(bound > 0, "there is something to choose from")
    return Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  func within(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + below(range.count)
  }

  /// True so many times in a hundred.
  func chance(_ percent: Int) -> Bool { below(100) < percent }

  /// True once in so many times.
  func once(in times: Int) -> Bool { below(times) == 0 }

  func pick<T>(_ choices: [T]) -> T { choices[below(choices.count)] }

  /// As many hex digits.
  func hex(_ digits: Int) -> String {
    var text = ""
    while text.utf8.count < digits {
      let word = String(next(), radix: 16)
      text += String(repeating: "0", count: 16 - word.utf8.count) + word
    }
    return String(text.prefix(digits))
  }
}

extension Epoch {
  /// An epoch that the dice have made up.
  static func fresh(_ dice: Dice) -> Epoch {
    guard let epoch = Epoch(hex: dice.hex(32)) else {
      preconditionFailure("32 hex digits are an epoch")
    }
    return epoch
  }
}
