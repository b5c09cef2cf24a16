// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yLog
import A11yTestKit
import A11yWire

@testable import A11yDaemon

/// The bus on a real disk, driven by hand: turns, clients and time are the test's.
final class HandBus {
  let time = HandTime(boot: 1_000_000, wall: 1_795_242_000_000_000)
  let bus: Bus
  private let diary = Diary()
  private var seats: [Seat] = []

  /// What the bus has told its surroundings.
  private final class Diary {
    var said: [String] = []
    var left: [UInt32] = []
  }

  /// A client whom only the bus and the test hold.
  private struct Seat {
    weak var link: HandLink?
  }

  init(in directory: ScratchDirectory) throws {
    let found = try FoundLog(
      in: directory.path,
      uptime: Int64(time.boot),
      wall: time.wall
    )
    let opening = found.opening
    let log = try EventLog(
      found: found,
      policy: Settings().log,
      lock: LogOnDisk.lock(directory)
    )
    bus = try Bus(
      log: log,
      settings: Settings(),
      surroundings: Surroundings(
        time: time,
        report: Report { [diary] _, text in diary.said.append(text) },
        uid: 1_000,
        hasLeft: { [diary] uid in diary.left.append(uid) }
      ),
      opening: opening,
      usedKeys: []
    )
  }

  /// What an operator would have heard.
  var said: [String] { diary.said }

  /// The users whose clients have gone, in that order.
  var left: [UInt32] { diary.left }

  func connect(size: Int = 1 << 20, uid: UInt32 = 1_000, role: Role = .bus) -> HandLink {
    let link = HandLink(size: size)
    bus.admit(link, uid: uid, role: role)
    seats.append(Seat(link: link))
    return link
  }

  /// One turn, a millisecond after the last, with all who are ready; false where there is nothing
  /// to do.
  @discardableResult
  func turn() -> Bool {
    let ready = bus.isBehind ? [] : seats.compactMap { $0.link?.ready }
    guard bus.isBehind || !ready.isEmpty else { return false }
    time.advance(microseconds: 1_000)
    bus.serve(ready)
    return true
  }

  /// Turns until nobody has anything to do; false where that would take for ever.
  @discardableResult
  func settle() -> Bool {
    for _ in 0..<10_000 where !turn() { return true }
    return false
  }
}

/// A clock that stands still until it is moved.
final class HandTime: BusTime {
  private(set) var boot: UInt64
  private(set) var wall: Int64

  init(boot: UInt64, wall: Int64) {
    self.boot = boot
    self.wall = wall
  }

  func advance(microseconds: Int64) {
    boot += UInt64(microseconds)
    wall += microseconds
  }

  func bootMicroseconds() -> UInt64 { boot }
  func monotonicMicroseconds() -> UInt64 { boot }
  func wallMicroseconds() -> Int64 { wall }
}
