// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Random choices that can be made again.
///
/// Every test that rolls dice prints their seed; `A11Y_SEED=… swift test --filter …` rolls the same
/// ones. The generator is SplitMix64, so that a seed means the same on every machine.
package struct Dice: RandomNumberGenerator {
  package let seed: UInt64
  private var state: UInt64

  package init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// New dice, unless the environment asks for certain ones.
  package init(for test: String = #function) {
    let asked = ProcessInfo.processInfo.environment["A11Y_SEED"].flatMap { UInt64($0) }
    self.init(seed: asked ?? UInt64.random(in: .min ... .max))
    print("A11Y_SEED=\(seed) \(test)")
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  package mutating func roll(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &self)
  }

  /// True once in `of` times.
  package mutating func once(in times: Int) -> Bool { roll(1...times) == 1 }

  package mutating func pick<T>(_ choices: [T]) -> T { choices[roll(0...choices.count - 1)] }
}
