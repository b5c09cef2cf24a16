// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yLog
import A11yWire

/// The machine's clocks, which go on when they are told to.
final class SimClock: BusTime {
  /// Microseconds since the machine booted.
  private(set) var uptime: Int64 = 5_000_000
  /// Microseconds since 1970, as people set it.
  private(set) var wall: Int64 = 1_795_242_000_000_000
  /// The id of the machine's present boot.
  private(set) var boot: String
  private let dice: Dice
  /// The time that each look at the clock of work takes, in microseconds.
  var strain: UInt64 = 0
  private var worked: UInt64 = 0

  init(_ dice: Dice) {
    self.dice = dice
    boot = Self.identifier(dice)
  }

  func bootMicroseconds() -> UInt64 { UInt64(uptime) }

  func monotonicMicroseconds() -> UInt64 {
    worked += strain
    return UInt64(uptime) + worked
  }

  func wallMicroseconds() -> Int64 { wall }

  func advance(_ microseconds: Int64) {
    uptime += microseconds
    wall += microseconds
  }

  /// Somebody sets the wall clock, forwards or backwards.
  func step(_ microseconds: Int64) { wall += microseconds }

  /// The machine is off for a while and comes back.
  func reboot(after downtime: Int64) {
    wall += downtime
    uptime = Int64(dice.within(100_000...20_000_000))
    boot = Self.identifier(dice)
  }

  private static func identifier(_ dice: Dice) -> String {
    let hex = Array(dice.hex(32))
    let parts = [hex[0..<8], hex[8..<12], hex[12..<16], hex[16..<20], hex[20..<32]]
    return parts.map { String($0) }.joined(separator: "-")
  }
}

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
