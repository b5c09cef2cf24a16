// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Random choices that can be made again.
///
/// Every test has its own seed, which is made of its name, so that a change is not blamed for what
/// it has not done. `A11Y_SEED=new swift test` rolls new dice and prints their seeds, and
/// `A11Y_SEED=…` rolls these again. The generator is SplitMix64: a seed means the same on every
/// machine.
package struct Dice: RandomNumberGenerator {
  package let seed: UInt64
  private var state: UInt64

  package init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// The dice of a test, unless the environment asks for others.
  package init(for test: String = #function) {
    let asked = ProcessInfo.processInfo.environment["A11Y_SEED"]
    var own: UInt64 = 0xcbf2_9ce4_8422_2325
    for unit in test.utf8 { own = (own ^ UInt64(unit)) &* 0x0000_0100_0000_01b3 }
    let isNew = asked == "new"
    self.init(seed: asked.flatMap { UInt64($0) } ?? (isNew ? .random(in: .min ... .max) : own))
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
