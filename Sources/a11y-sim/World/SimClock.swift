// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yLog

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
