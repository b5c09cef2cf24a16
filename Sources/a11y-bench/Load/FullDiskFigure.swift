// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A bus whose disk is full: it does everything but keep the events.
///
/// A small file system is filled while events are published by the clock. All of them have to
/// arrive live meanwhile. Then the disk is freed, and after a restart each event is either on
/// record or in a gap with its reason.
final class FullDiskFigure: Figure {
  let rows = [
    FullDiskFigure.row("events published per second"),
    FullDiskFigure.row("events that the live subscriber did not get", .atMost(0)),
    FullDiskFigure.row("longest way of an event, in ms", decimals: 1),
    FullDiskFigure.row("events acknowledged as received"),
    FullDiskFigure.row("events acknowledged as written"),
    FullDiskFigure.row(
      "until events are written again once there is room, in s",
      decimals: 2,
      .atMost(5)
    ),
    FullDiskFigure.row("entries declared as a gap for storage after a restart"),
    FullDiskFigure.row("entries missing after a restart, and not declared", .atMost(0)),
    FullDiskFigure.row("entries missing after a restart, though written", .atMost(0)),
  ]
  /// Events per second: in half a minute more than the bus keeps in memory, so that a gap arises.
  private static let rate = 3_000
  private static let second = 1_000_000_000
  /// The longest wait until the bus notices that there is room.
  private static let patience = 60 * second
  private let setting: BenchSetting

  init(_ setting: BenchSetting) { self.setting = setting }

  var peers: [Peer] { [] }
  var obstacle: String? { SmallDisk.obstacle(below: setting.directory) }

  var remarks: [String] {
    ["the disk was a tmpfs of 64 MiB, full for \(setting.size(setting.fullSeconds)) s"]
  }

  func measureRound(_ subject: RoundSubject) throws(BenchFailure) -> [Double?] {
    let disk = try SmallDisk(at: setting.directory + "/disk")
    let home = try Home("full", below: setting.directory, state: disk.path + "/state")
    let server = try Server(subject, in: home)
    defer { server.end() }
    let traffic = try SteadyTraffic(at: home.socket, perSecond: FullDiskFigure.rate)
    try traffic.publishByTheClock(nanoseconds: FullDiskFigure.second)

    let full = try fill(disk, under: traffic)
    let recovery = try free(disk, under: traffic)
    try traffic.publishByTheClock(nanoseconds: FullDiskFigure.second)
    try traffic.drain()
    guard traffic.answers.count == traffic.sent else {
      throw BenchFailure("of \(traffic.sent) events \(traffic.answers.count) were acknowledged")
    }
    let lost = try lostLive(traffic)

    try server.stop()
    let next = try Server(subject, in: home)
    defer { next.end() }
    let missing = try compare(traffic, with: ReadBack(at: home.socket), through: next.last())
    return withExtendedLifetime(disk) {
      [
        Double(full.events) / Double(full.seconds), Double(lost),
        Double(full.longestNanoseconds) / 1e6, Double(full.received), Double(full.written),
        Double(recovery) / 1e9, Double(missing.declared), Double(missing.undeclared),
        Double(missing.broken),
      ]
    }
  }

  // MARK: While it is full

  private struct Full {
    let seconds: Int
    let events: Int
    let longestNanoseconds: Int
    let received: Int
    let written: Int
  }

  /// Fills the disk, and keeps it full for the time of the settings.
  private func fill(_ disk: SmallDisk, under traffic: SteadyTraffic) throws(BenchFailure) -> Full {
    traffic.longestNanoseconds = 0
    try traffic.publishByTheClock(nanoseconds: FullDiskFigure.patience) { disk.fill() }
    let seconds = setting.size(setting.fullSeconds)
    let before = traffic.answers.count
    // Room that the bus frees is filled too.
    try traffic.publishByTheClock(nanoseconds: seconds * FullDiskFigure.second) {
      _ = disk.fill()
      return false
    }
    let answers = traffic.answers[before...]
    let written = answers.count { $0.durability == .written }
    return Full(
      seconds: seconds,
      events: answers.count,
      longestNanoseconds: traffic.longestNanoseconds,
      received: answers.count - written,
      written: written
    )
  }

  /// Frees the disk, and returns the time until an event was written.
  private func free(_ disk: SmallDisk, under traffic: SteadyTraffic) throws(BenchFailure) -> Int {
    // Events sent before may be written or not; only later ones count.
    let first = traffic.sent
    try disk.free()
    let before = Clock.nanoseconds()
    try traffic.publishByTheClock(nanoseconds: FullDiskFigure.patience) {
      traffic.answers.count > first && traffic.answers.last?.durability == .written
    }
    return Clock.nanoseconds() - before
  }

  /// The number of events that the subscriber has missed; the others have to be in order.
  private func lostLive(_ traffic: SteadyTraffic) throws(BenchFailure) -> Int {
    let published = traffic.answers.map(\.seq)
    guard zip(traffic.arrivals, traffic.arrivals.dropFirst()).allSatisfy(<) else {
      throw BenchFailure("a subscriber received events out of order")
    }
    guard Set(traffic.arrivals).isSubset(of: published) else {
      throw BenchFailure("a subscriber received events that nobody has published")
    }
    return published.count - traffic.arrivals.count
  }

  // MARK: After a restart

  private struct Missing {
    var declared = 0
    var undeclared = 0
    /// Missing events of either kind that were acknowledged as written.
    var broken = 0
  }

  private func compare(
    _ traffic: SteadyTraffic,
    with found: ReadBack,
    through last: Int
  ) throws(BenchFailure) -> Missing {
    var missing = Missing()
    let there = Set(found.seqs)
    var declared: Set<Int> = []
    for gap in found.gaps {
      guard there.isDisjoint(with: gap.range) else {
        throw BenchFailure("entries are there that a gap from \(gap.range.lowerBound) says are not")
      }
      if gap.isForStorage { declared.formUnion(gap.range) }
    }
    for seq in 1...max(1, last) where !there.contains(seq) {
      if declared.contains(seq) { missing.declared += 1 } else { missing.undeclared += 1 }
    }
    missing.broken = traffic.answers.count {
      $0.durability == .written && !there.contains($0.seq)
    }
    return missing
  }

  private static func row(_ words: String, decimals: Int = 0, _ goal: Goal? = nil) -> Row {
    Row(name: "full disk, \(words)", decimals: decimals, goals: goal.map { [$0] } ?? [])
  }
}
