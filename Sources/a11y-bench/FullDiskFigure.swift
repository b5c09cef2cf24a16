// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Glibc

/// A bus whose disk is full: it does everything but keep the events.
///
/// A small file system is filled while events are published by the clock. All of them have to
/// arrive live meanwhile. Then the disk is freed, and after a restart each event is either on
/// record or in a gap with its reason.
struct FullDisk: Measurement {
  /// Events per second: in half a minute more than the bus keeps in memory, so that a gap arises.
  private static let rate = 3_000
  private static let second = 1_000_000_000
  /// The longest wait until the bus notices that there is room.
  private static let patience = 60 * second
  private let setting: BenchSetting

  init(_ setting: BenchSetting) { self.setting = setting }

  var obstacle: String? { SmallDisk.obstacle(below: setting.directory) }

  var remarks: [String] {
    ["the disk was a tmpfs of 64 MiB, full for \(setting.size(setting.fullSeconds)) s"]
  }

  func measureRound(_ subject: Subject) throws -> [Double?] {
    let disk = try SmallDisk(at: setting.directory + "/disk")
    let home = try Home("full", below: setting.directory, state: disk.path + "/state")
    let server = try Server(subject, in: home)
    defer { server.end() }
    let traffic = try SteadyTraffic(at: home.socket, perSecond: FullDisk.rate)
    try traffic.publishByTheClock(nanoseconds: FullDisk.second)

    let full = try fill(disk, under: traffic)
    let recovery = try free(disk, under: traffic)
    try traffic.publishByTheClock(nanoseconds: FullDisk.second)
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

  private struct Full {
    let seconds: Int
    let events: Int
    let longestNanoseconds: Int
    let received: Int
    let written: Int
  }

  /// Fills the disk, and keeps it full for the time of the settings.
  private func fill(_ disk: SmallDisk, under traffic: SteadyTraffic) throws -> Full {
    traffic.longestNanoseconds = 0
    try traffic.publishByTheClock(nanoseconds: FullDisk.patience) { disk.fill() }
    let seconds = setting.size(setting.fullSeconds)
    let before = traffic.answers.count
    // Room that the bus frees is filled too.
    try traffic.publishByTheClock(nanoseconds: seconds * FullDisk.second) {
      _ = disk.fill()
      return false
    }
    let answers = traffic.answers[before...]
    let written = answers.count { $0.isWritten }
    return Full(
      seconds: seconds,
      events: answers.count,
      longestNanoseconds: traffic.longestNanoseconds,
      received: answers.count - written,
      written: written
    )
  }

  /// Frees the disk, and returns the time until an event was written.
  private func free(_ disk: SmallDisk, under traffic: SteadyTraffic) throws -> Int {
    // Events sent before may be written or not; only later ones count.
    let first = traffic.sent
    try disk.free()
    let before = Clock.nanoseconds()
    try traffic.publishByTheClock(nanoseconds: FullDisk.patience) {
      traffic.answers.count > first && traffic.answers.last?.isWritten == true
    }
    return Clock.nanoseconds() - before
  }

  /// The number of events that the subscriber has missed; the others have to be in order.
  private func lostLive(_ traffic: SteadyTraffic) throws -> Int {
    let published = traffic.answers.map(\.seq)
    guard zip(traffic.arrivals, traffic.arrivals.dropFirst()).allSatisfy(<) else {
      throw BenchFailure("a subscriber received events out of order")
    }
    guard Set(traffic.arrivals).isSubset(of: published) else {
      throw BenchFailure("a subscriber received events that nobody has published")
    }
    return published.count - traffic.arrivals.count
  }

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
  ) throws -> Missing {
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
      $0.isWritten && !there.contains($0.seq)
    }
    return missing
  }
}

/// A small file system in memory, which a filler file makes full and free again.
final class SmallDisk {
  let path: String
  private let filler: FileDescriptor
  private static let bytes = 64 * 1024 * 1024
  /// A piece of the filler, small enough not to delay other work.
  private static let piece = [UInt8](repeating: 0x78, count: 1024 * 1024)

  /// Makes the directory `path` and mounts a file system there, which takes root.
  init(at path: String) throws {
    self.path = path
    try Directory.create(path, mode: 0o700)
    do {
      try Leftovers.mountMemory(at: path, bytes: SmallDisk.bytes)
      filler = try FileDescriptor.open(path + "/filler", [.writeOnly, .create, .append])
    } catch {
      Leftovers.unmount(path)
      rmdir(path)
      throw error
    }
  }

  deinit {
    // The mount stays busy while the filler is open, and goes when that is closed.
    Leftovers.unmount(path)
    rmdir(path)
  }

  /// The reason why no file system can be mounted below `directory`, if there is one.
  static func obstacle(below directory: String) -> String? {
    do {
      _ = try SmallDisk(at: directory + "/trial")
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// Fills a piece; true when the disk is full.
  func fill() -> Bool {
    do throws(Errno) {
      _ = try filler.write(SmallDisk.piece.span)
      return false
    } catch {
      return error == .noSpace
    }
  }

  /// Empties the filler.
  func free() throws { try filler.truncate(to: 0) }
}

/// The entries of a log from its start, and its gaps.
struct ReadBack {
  struct Gap {
    let range: ClosedRange<Int>
    let isForStorage: Bool
  }

  /// The seqs, in rising order.
  private(set) var seqs: [Int] = []
  private(set) var gaps: [Gap] = []

  /// Subscribes at `path`, and reads until it has caught up.
  init(at path: String) throws {
    let connection = try BenchConnection(to: path, as: "one who reads back")
    try connection.deliver(#"{"id":1,"op":"subscribe","from":"start"}"# + "\n")
    var isCaughtUp = false
    try connection.wait(for: "to be caught up", until: { isCaughtUp }) {
      try connection.receive { line in
        switch ReceivedLine(line) {
        case .entry: try collect(entry: line)
        case .mark:
          isCaughtUp = isCaughtUp || offset(of: #""mark":"caught-up""#, in: line) != nil
          try collect(mark: line)
        case .success: break
        case .other: throw BenchFailure("a reader received: \(quote(line))")
        }
      }
    }
  }

  private mutating func collect(entry line: UnsafeRawBufferPointer) throws {
    guard let seq = number(behind: #""seq":"#, in: line), seq > seqs.last ?? 0 else {
      throw BenchFailure("behind entry \(seqs.last ?? 0) came: \(quote(line))")
    }
    seqs.append(seq)
  }

  private mutating func collect(mark line: UnsafeRawBufferPointer) throws {
    guard offset(of: #""mark":"gap""#, in: line) != nil else { return }
    guard let from = number(behind: #""from":"#, in: line),
      let to = number(behind: #""to":"#, in: line), from <= to
    else { throw BenchFailure("a gap has no bounds: \(quote(line))") }
    let isForStorage = offset(of: #""reason":"storage""#, in: line) != nil
    gaps.append(Gap(range: from...to, isForStorage: isForStorage))
  }
}
