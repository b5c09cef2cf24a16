// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yDaemon
/// The misfortunes that a run may meet, and the settings of its bus.
///
/// A run that may meet everything meets everything seldom; one that is spared most of it gets far
/// into what is left. So each seed draws its own weather first.
struct Weather {
  var kills: Bool
  var powerCuts: Bool
  /// Calls to the disk fail now and then, or the disk is full for a while.
  var diskFaults: Bool
  /// Bits flip and files change while nobody uses them.
  var rot: Bool
  /// Somebody sets the wall clock.
  var clockSteps: Bool
  /// The last call of a life may come at any time, in the middle of a start too.
  var suddenEnds: Bool
  /// Bytes go in pieces of any size.
  var choppy: Bool
  var segmentBytes: Int
  var retainEntries: Int?
  var retainBytes: Int?
  var clients: Int
  /// The bytes that a client's socket holds.
  var linkBytes: Int
  /// Work takes its time: a turn's share of feeding may be used up.
  var slowMachine: Bool
  /// Clients that read to the user.
  var readers: Int
  /// Somebody has an app forgotten now and then.
  var forgets: Bool

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

  /// Nothing goes wrong by chance, and segments are small.
  static func calm(segmentBytes: Int) -> Weather {
    var weather = Weather(Dice(seed: 0))
    weather.kills = false
    weather.powerCuts = false
    weather.diskFaults = false
    weather.rot = false
    weather.clockSteps = false
    weather.suddenEnds = false
    weather.choppy = false
    weather.segmentBytes = segmentBytes
    weather.retainEntries = nil
    weather.retainBytes = nil
    weather.clients = 3
    weather.linkBytes = 262_144
    weather.slowMachine = false
    weather.readers = 1
    weather.forgets = false
    return weather
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
