// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix

/// The misfortunes of a run: steps of the clock, faults of the disk, and sudden ends.
struct Misfortunes {
  private let dice: Dice
  private let weather: Weather
  private let clock: SimClock
  private let disk: SimDisk

  init(_ dice: Dice, _ weather: Weather, _ clock: SimClock, _ disk: SimDisk) {
    self.dice = dice
    self.weather = weather
    self.clock = clock
    self.disk = disk
  }

  /// Has one of them happen, and says so in words; nil where the weather spares the run.
  func meet() -> String? {
    switch dice.below(4) {
    case 0 where weather.clockSteps:
      let step = Int64(dice.pick([-3_600, -5, 7, 86_400 * 3])) * 1_000_000
      clock.step(step)
      return "the wall clock is set by \(step) µs"
    case 1 where weather.diskFaults:
      if !disk.faults.isEmpty || disk.capacity != nil {
        disk.recover()
        return "the disk is well again"
      }
      return strikeDisk()
    case 2 where weather.suddenEnds:
      let calls = dice.within(1...30)
      disk.lastCall = disk.calls + calls
      return "\(calls) calls are left"
    default: return nil
    }
  }

  /// Fills the disk or has some of its calls fail, and says so in words.
  private func strikeDisk() -> String {
    if dice.chance(25) {
      disk.capacity = disk.used + dice.below(3_000)
      return "the disk is full at \(disk.capacity ?? 0)"
    }
    let effect = dice.pick([
      DiskFault.Effect.fails(.inputOutput), .fails(.noSpace), .fails(.readOnlyFileSystem),
      .fails(.diskQuotaExceeded), .fails(.fileTooLarge), .isShort,
    ])
    let calls: DiskCall =
      dice.pick([.all, .write, .synchronize, [.create, .rename], .changing])
    let fault = DiskFault(
      effect,
      calls: calls,
      after: dice.below(10),
      isLasting: dice.chance(60)
    )
    disk.faults = [fault]
    return "the disk: \(fault.effect), lasting \(fault.isLasting)"
  }
}
