// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yLog
import A11yPosix
import A11yRules
import A11yTestKit
import A11yWire

@testable import A11yDaemon

/// The bus on some disk, driven by hand: turns, clients and time are the test's.
final class HandBus {
  let time: HandTime
  let bus: Bus
  let syncing: HandSyncing
  private let diary = Diary()
  private var seats: [Seat] = []

  /// The calls that the bus has made to its environment.
  private final class Diary {
    var said: [String] = []
    var left: [UInt32] = []
    var last = Seq.none
  }

  /// A client whom only the bus and the test hold.
  private struct Seat {
    weak var link: HandLink?
  }

  convenience init(in directory: ScratchDirectory) throws {
    try self.init(on: KernelDisk(directory.path))
  }

  /// A later bus on the same disk goes on with the time of the one before it.
  init(
    on disk: any Disk,
    settings: Settings = Settings(),
    time: HandTime = HandTime(boot: 1_000_000, wall: 1_795_242_000_000_000)
  ) throws {
    self.time = time
    syncing = HandSyncing(disk)
    let found = try Recovery<BrokerState>(
      on: disk,
      StartCircumstances(
        boot: String(repeating: "b", count: 32),
        uptime: Int64(time.boot),
        wall: time.wall,
        left: nil,
        epoch: .random()
      )
    ) { _, _ in }
    bus = Bus(
      log: EventLog(
        found,
        policy: settings.log.policy,
        syncing: syncing,
        mono: found.clock.mono(uptime: Int64(time.boot))
      ),
      settings: settings,
      environment: BusEnvironment(
        time: time,
        report: OperatorReport { [diary] _, text in diary.said.append(text) },
        uid: 1_000,
        language: .english,
        onLeave: { [diary] uid, _ in diary.left.append(uid) },
        noteLeft: { [diary] last in diary.last = last }
      ),
      state: found.state,
      rules: .defaults
    )
  }

  /// The texts that an operator would have read.
  var said: [String] { diary.said }

  /// The last entry that has left, as the bus says before that.
  var lastLeft: Seq { diary.last }

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
  /// How often the bus has asked how long it has fed subscribers.
  private(set) var readings = 0
  /// The time that passes from one of those questions to the next.
  var microsecondsPerReading: Int64 = 0

  init(boot: UInt64, wall: Int64) {
    self.boot = boot
    self.wall = wall
  }

  func advance(microseconds: Int64) {
    boot += UInt64(microseconds)
    wall += microseconds
  }

  func bootMicroseconds() -> UInt64 { boot }
  func monotonicMicroseconds() -> UInt64 {
    readings += 1
    advance(microseconds: microsecondsPerReading)
    return boot
  }
  func wallMicroseconds() -> Int64 { wall }
}

/// A client in memory: what it says, how much it takes and when it goes is said by the test.
final class HandLink: Link {
  private var token: UInt64?
  private var interest: Readiness = []
  private var said: [UInt8] = []
  private var hasEnded = false
  /// Nobody is there any more.
  private var isGone = false
  /// How much it takes until it has to read again.
  private var size: Int
  private var room: Int
  private var received: [UInt8] = []
  /// The bytes that were handed to it as a stretch of a file.
  private(set) var bytesFromFiles = 0
  /// Called whenever it has taken bytes.
  var onReceived: () -> Void = {}

  init(size: Int) {
    self.size = size
    room = size
  }

  // MARK: As the test sees it

  func say(_ lines: String...) {
    for line in lines { said += Array((line + "\n").utf8) }
  }

  /// Says no more, and still listens.
  func end() { hasEnded = true }

  /// Is closed in full.
  func close() {
    hasEnded = true
    isGone = true
  }

  /// From now on it takes so much until it has to read again.
  func resize(_ size: Int) { self.size = size }

  /// Makes room for more.
  func read() { room = size }

  /// The lines that have come whole since the last time.
  func takeLines() -> [String] {
    guard let end = received.lastIndex(of: 10) else { return [] }
    let whole = received[...end].split(separator: 10)
    received.removeSubrange(...end)
    return whole.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The readiness that the kernel would tell the bus; nil where the link is not ready.
  var ready: Ready? {
    var readiness: Readiness = []
    if !said.isEmpty || hasEnded { readiness.insert(.readable) }
    if room > 0 { readiness.insert(.writable) }
    readiness.formIntersection(interest)
    if isGone { readiness.insert(.hangUp) }
    guard let token, !readiness.isEmpty else { return nil }
    return Ready(token: token, readiness: readiness)
  }

  // MARK: As the bus sees it

  func receive(into buffer: UnsafeMutableRawBufferPointer) -> UnixStream.Received {
    if said.isEmpty { return hasEnded ? .ended : .wouldBlock }
    let count = min(said.count, buffer.count)
    buffer.copyBytes(from: said[..<count])
    said.removeFirst(count)
    return .bytes(count)
  }

  func send(_ bytes: Span<UInt8>) -> UnixStream.Sent {
    if isGone { return .failed(.brokenPipe) }
    let count = min(room, bytes.count)
    guard count > 0 else { return .wouldBlock }
    for index in 0..<count { received.append(bytes[index]) }
    room -= count
    onReceived()
    return .sent(count)
  }

  func send(from file: any DiskFile, at offset: Int64, count: Int) throws(Errno) -> Int {
    let sent = try sendCopy(from: file, at: offset, count: count)
    bytesFromFiles += sent
    return sent
  }

  func watch(for interest: Readiness, as token: UInt64) throws(Errno) {
    self.token = token
    self.interest = interest
  }
}
