// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yDaemon
import A11yPosix

/// The misfortunes that a run may meet, and the settings of its bus.
///
/// A run that may meet everything meets everything seldom; one that is spared most of it gets far
/// into what is left. So each seed draws its own weather first.
struct Weather {
  var kills = false
  var powerCuts = false
  /// Calls to the disk fail now and then, or the disk is full for a while.
  var diskFaults = false
  /// Bits flip and files change while nobody uses them.
  var rot = false
  /// Somebody sets the wall clock.
  var clockSteps = false
  /// The last call of a life may come at any time, in the middle of a start too.
  var suddenEnds = false
  /// Bytes go in pieces of any size.
  var choppy = false
  var segmentBytes: Int
  var retainEntries: Int?
  var retainBytes: Int?
  var clients = 3
  /// The bytes that a client's socket holds.
  var linkBytes = 262_144
  /// Work takes its time: a turn's share of feeding may be used up.
  var slowMachine = false
  /// Clients that read to the user.
  var readers = 1
  /// Somebody has an app forgotten now and then.
  var forgets = false

  /// Nothing goes wrong by chance.
  static func calm(segmentBytes: Int) -> Weather { Weather(segmentBytes: segmentBytes) }

  private init(segmentBytes: Int) { self.segmentBytes = segmentBytes }

  init(_ dice: Dice) {
    kills = dice.chance(60)
    powerCuts = dice.chance(60)
    diskFaults = dice.chance(40)
    rot = dice.chance(30)
    clockSteps = dice.chance(40)
    suddenEnds = dice.chance(50)
    choppy = dice.chance(50)
    segmentBytes = dice.pick([1_500, 4_096, 10_000, 65_536])
    retainEntries = dice.chance(25) ? dice.pick([20, 60, 200]) : nil
    retainBytes = dice.chance(25) ? dice.pick([8_192, 20_000, 100_000]) : nil
    clients = dice.within(2...6)
    linkBytes = dice.pick([300, 2_000, 16_384, 262_144])
    slowMachine = dice.chance(20)
    readers = dice.within(0...2)
    forgets = dice.chance(30)
  }

  var retains: Bool { retainEntries != nil || retainBytes != nil }

  /// The settings of a bus in this weather.
  var settings: Settings {
    var settings = Settings.withoutRules
    settings.log.segmentBytes = ByteCount(segmentBytes)
    settings.log.retainAge = nil
    settings.log.retainEntries = retainEntries
    settings.log.retainBytes = retainBytes.map { ByteCount($0) }
    return settings
  }
}

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
