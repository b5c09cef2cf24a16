// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Glibc

/// One publisher with a thousand events in flight, and its live subscribers.
///
/// The daemon filters by the priority; topics, subjects and members are the nearest thing of the
/// servers of others. Redis Streams and the relays have no filter.
struct FanOut: Measurement {
  private let setting: BenchSetting
  private let subscribers: Int
  private let events: Int
  /// Further tables of the daemon's configuration.
  private let settings: String

  /// Limits for more subscribers of one user than a desktop has.
  static let wideLimits = "[limits]\nconnections = 20000\nconnections_per_uid = 20000\n"

  init(_ setting: BenchSetting, subscribers: Int, events: Int, settings: String? = nil) {
    self.setting = setting
    self.subscribers = subscribers
    self.events = max(events, 100)
    self.settings = settings ?? (subscribers >= 1_000 ? Self.wideLimits : "")
  }

  func measureRound(_ subject: Subject) throws -> [Double?] {
    // NATS has two threads for each connection of a load.
    if subscribers == 10_000, subject.server == .nats { return [nil, nil, nil, nil] }
    let all = try measure(subject)
    guard subscribers > 1 else { return all }
    guard subject.filters else { return all + [nil, nil] }
    return all + (try measure(subject, filtered: subscribers / 2))
  }

  /// Deliveries per second with all subscribers together, and processor time for each, in µs.
  func measure(_ subject: Subject, filtered: Int = 0) throws -> [Double] {
    let server = try Server(subject, in: setting.home("traffic", settings: settings))
    defer { server.end() }
    if let peer = subject.server {
      let (figures, cost) = try PeerLoad(
        .stream,
        over: server,
        [
          "--events", "\(max(events / peer.patience / 2 * 2, 2))",
          "--subscribers", "\(subscribers)", "--filtered", "\(filtered)",
        ],
        lines: filtered > 0 ? setting.mixedPath : setting.plainPath
      ).measure()
      return cost.rates(of: figures.first)
    }
    let lines = filtered > 0 ? setting.mixed : setting.plain
    let listeners = try (0..<subscribers).map { index in
      let isFiltered = index >= subscribers - filtered
      let expectation = Subscriber.Expectation(lines: lines, isFiltered: isFiltered)
      let subscriber = try Subscriber(at: server.home.socket, expecting: expectation)
      try subscriber.catchUp()
      return subscriber
    }
    let traffic = try Traffic(at: server.home.socket, lines: lines, to: listeners)
    // Caches, buffers and the first segment of the log are made before the clock runs.
    try traffic.publishAll(events / 20 * 2)
    let before = traffic.deliveries
    let cost = try server.cost { try traffic.publishAll(events) }
    return cost.rates(of: traffic.deliveries - before)
  }
}

/// One publisher with a thousand announcements in flight, and readers that report their speech.
///
/// All default rules are in force. Far more comes than anybody can hear: a few events are spoken,
/// and the others end with an outcome and its reason.
final class Heard: Measurement {
  private var deliveries: [Double] = []
  private let setting: BenchSetting

  init(_ setting: BenchSetting) { self.setting = setting }

  var remarks: [String] {
    guard let statistics = RoundStatistics(deliveries) else { return [] }
    return ["of each round \(grouped(statistics.median)) deliveries were spoken"]
  }

  func measureRound(_ subject: Subject) throws -> [Double?] {
    if subject.server != nil {
      return try FanOut(setting, subscribers: 1, events: setting.size(500_000)).measure(subject)
    }
    return try measure(subject, readers: 1)
  }

  /// Events per second, and processor time for each, in µs.
  func measure(_ subject: Subject, readers count: Int) throws -> [Double] {
    let server = try Server(subject, in: setting.home("heard"))
    defer { server.end() }
    let readers = try (0..<count).map { _ in try QuickReader(at: server.home.socket) }
    let traffic = try Traffic(at: server.home.socket, lines: setting.plain, to: readers)
    let events = setting.size(500_000)
    // As in the other figures, a tenth goes ahead.
    try traffic.publishAll(events / 10)
    let cost = try server.cost { try traffic.publishAll(events) }
    if case .daemon = subject, count > 0 {
      let spoken = readers.reduce(0) { $0 + $1.deliveries }
      guard spoken > 0 else { throw BenchFailure("nothing was delivered to the reader") }
      deliveries.append(Double(spoken))
    }
    return cost.rates(of: events)
  }
}

/// Two hundred publishers, each waiting for its acknowledgement before it sends again.
struct Publishers: Measurement {
  private static let publishers = 200
  private let setting: BenchSetting

  init(_ setting: BenchSetting) { self.setting = setting }

  func measureRound(_ subject: Subject) throws -> [Double?] {
    let server = try Server(subject, in: setting.home("publishers"))
    defer { server.end() }
    if let peer = subject.server {
      // D-Bus answers calls alone; a service in the load's program answers them.
      let events = setting.size(200_000) / peer.patience
      let load = try PeerLoad(
        .stream,
        over: server,
        [
          "--events", "\(events)", "--publishers", "\(Self.publishers)", "--subscribers", "0",
          "--window", "1",
        ],
        lines: setting.plainPath
      )
      return [try load.measure().cost.perSecond(events)]
    }
    let traffic = try Traffic(
      at: server.home.socket,
      publishers: Self.publishers,
      inFlight: 1,
      lines: setting.plain
    )
    // As in the other figures a tenth goes ahead, so that the first entry of each client, which
    // makes the daemon greet it, is not part of the measurement.
    let events = setting.size(200_000)
    try traffic.publishAll(max(Self.publishers, events / 10))
    return [try server.cost { try traffic.publishAll(events) }.perSecond(events)]
  }
}

/// The time of an event on its way, at a thousand events a second.
///
/// The text carries the moment of sending, and the subscriber looks at the clock when it reads the
/// line. Events leave by the clock, not after the arrival of the one before, so that a stall counts
/// with every event that it delays.
///
/// While an event is on its way the reader polls without sleeping. On a virtual machine, waking a
/// sleeping reader costs more than everything between publisher and subscriber; the figure is left
/// with the daemon's own wake-up and its work, which can be improved.
struct Latency: Measurement {
  private static let gapNanoseconds = 1_000_000
  private let setting: BenchSetting

  init(_ setting: BenchSetting) { self.setting = setting }

  func measureRound(_ subject: Subject) throws -> [Double?] {
    let server = try Server(subject, in: setting.home("latency"))
    defer { server.end() }
    let count = setting.size(3_000)
    if subject.server != nil {
      let options = ["--events", "\(count)", "--window", "1"]
      let load = try PeerLoad(.latency, over: server, options, lines: setting.plainPath)
      let figures = try load.measure().figures
      return [Double(figures.first) / 1e3, Double(figures.second) / 1e3]
    }
    let unmeasured = count / 10
    let ways = try sendEvents(count + unmeasured, over: server.home.socket)
    let samples = Array(ways.dropFirst(unmeasured))
    return [samples.quantile(0.5), samples.quantile(0.99)]
  }

  /// Sends `count` events, and returns the times of their ways in µs, in their order.
  private func sendEvents(_ count: Int, over path: String) throws -> [Double] {
    let subscriber = try Subscriber(at: path)
    try subscriber.catchUp()
    let publisher = try BenchConnection(to: path, as: "a publisher")
    var samples: [Double] = []
    samples.reserveCapacity(count)
    var acknowledged = 0
    var sent = 0
    var next = Clock.nanoseconds()
    while samples.count < count || acknowledged < count {
      let now = Clock.nanoseconds()
      if sent < count, now >= next {
        try publisher.deliver(Announcements.line(at: Clock.nanoseconds()))
        sent += 1
        next += Self.gapNanoseconds
        continue
      }
      if samples.count == sent, acknowledged == sent {
        Clock.sleep(until: next)
        continue
      }
      guard now < next + BenchConnection.patienceNanoseconds else { break }
      try subscriber.receiveLines { line in
        let arrived = Clock.nanoseconds()
        samples.append(Double(arrived - (try TimeWord.nanoseconds(in: line))) / 1e3)
      }
      try publisher.receiveAnswers { _ in acknowledged += 1 }
      // The scheduler may wake the daemon on the processor that is busy with this loop.
      sched_yield()
    }
    guard samples.count == count, acknowledged == count else {
      throw BenchFailure(
        "of \(count) events \(acknowledged) were acknowledged and \(samples.count) came"
      )
    }
    return samples
  }
}

/// The delay of urgent events while another app floods the bus.
///
/// An app publishes 100,000 low announcements a second, by the clock. Meanwhile each of many other
/// apps publishes one urgent event, since a single app would be held to its rate. The reader
/// reports the end of each speech at once, so that no delay is due to speech. The figure is the
/// processor time that the daemon spends between the sending of an urgent line and the arrival of
/// its deliver; the time by the clock depends on other processes too.
struct Flood: Measurement {
  private static let lowPerMillisecond = 100
  /// The time between urgent events, which shares no beat with the flood.
  private static let gapNanoseconds = 37_700_000
  private let setting: BenchSetting

  init(_ setting: BenchSetting) { self.setting = setting }

  func measureRound(_ subject: Subject) throws -> [Double?] {
    let server = try Server(subject, in: setting.home("flood"))
    defer { server.end() }
    let path = server.home.socket
    let reader = try QuickReader(at: path)
    let lines = Announcements(priority: .low)
    let flood = try Publisher(at: path, lines: lines, inFlight: setting.size(50_000))
    let others = try (0..<setting.size(100)).map { index in
      let other = try Asker(at: path)
      try other.ask(#"{"id":1,"op":"hello","app":"urgent-\#(index)"}"# + "\n")
      return other
    }
    let delays = try measureDelays(others, amid: flood, to: reader, from: server)
    let waits = delays.map(\.wall)
    guard let worst = delays.map(\.daemon).max() else {
      throw BenchFailure("nothing urgent was sent")
    }
    return [worst, waits.quantile(0.5), waits.quantile(0.99)]
  }

  /// The delay of each urgent event in ms, in any order: the daemon's own, and by the clock.
  private func measureDelays(
    _ others: [Asker],
    amid flood: Publisher,
    to reader: QuickReader,
    from server: Server
  ) throws -> [(daemon: Double, wall: Double)] {
    let start = Clock.nanoseconds()
    var nextLow = start
    // The flood gets time to rise.
    var next = start + 5 * Self.gapNanoseconds
    var sent = 0
    var delays: [(daemon: Double, wall: Double)] = []
    /// The daemon's processor time at each sending, by the moment of the sending.
    var spent: [Int: Int] = [:]
    while delays.count < others.count {
      var now = Clock.nanoseconds()
      while nextLow <= now {
        flood.plan(Self.lowPerMillisecond)
        nextLow += 1_000_000
      }
      try flood.send()
      if sent < others.count, now >= next {
        now = Clock.nanoseconds()
        spent[now] = try server.processorNanoseconds()
        try others[sent].sendLines(Announcements.line(at: now, priority: .high))
        sent += 1
        next += Self.gapNanoseconds
      }
      guard now < next + BenchConnection.patienceNanoseconds else {
        throw BenchFailure("of \(sent) urgent events \(delays.count) were delivered")
      }
      try reader.receiveLines { line in
        guard line.contains(UInt8(ascii: "@")) else { return }
        let moment = try TimeWord.nanoseconds(in: line)
        guard let before = spent[moment] else { return }
        let spent = try server.processorNanoseconds() - before
        let wall = Clock.nanoseconds() - moment
        // The kernel updates the time of another process with its ticks, up to 4 ms late; the
        // daemon's one thread cannot have spent more than has passed.
        delays.append((Double(min(spent, wall)) / 1e6, Double(wall) / 1e6))
      }
      try flood.receiveAcknowledgements()
      // The scheduler may wake the daemon on the processor that is busy with this loop.
      sched_yield()
    }
    return delays
  }
}

/// A subscriber that is ten minutes behind, while a thousand events a second go on.
///
/// It reads from the start of a log of ten such minutes. A live subscriber beside it must not wait
/// for that; its events count with every delay.
struct Late: Measurement {
  private static let perSecond = 1_000
  private static let minutes = 10
  private static let second = 1_000_000_000
  /// The longest piece of the late one's reading, so that the clock of the others goes on.
  private static let pieceNanoseconds = 500_000
  private let setting: BenchSetting

  init(_ setting: BenchSetting) { self.setting = setting }

  func measureRound(_ subject: Subject) throws -> [Double?] {
    let server = try Server(subject, in: setting.home("late"))
    defer { server.end() }
    let past = setting.size(Self.minutes * 60 * Self.perSecond)
    try Traffic(at: server.address, lines: setting.plain).publishAll(past)
    let traffic = try SteadyTraffic(at: server.address, perSecond: Self.perSecond)
    try traffic.publishByTheClock(nanoseconds: Self.second)
    traffic.longestNanoseconds = 0

    let before = Clock.nanoseconds()
    let late = try Subscriber(at: server.address, from: "start")
    try traffic.publishByTheClock(nanoseconds: 60 * Self.second) {
      let end = Clock.nanoseconds() + Self.pieceNanoseconds
      var entries = -1
      while late.entries > entries, late.caughtUpAt == nil, Clock.nanoseconds() < end {
        entries = late.entries
        try late.receiveLines()
      }
      return late.caughtUpAt != nil
    }
    let elapsed = Clock.nanoseconds() - before
    try traffic.drain()
    guard late.caughtUpAt != nil, late.events >= past else {
      throw BenchFailure("a late subscriber has \(late.events) of \(past) events and more")
    }
    guard traffic.arrivals.count == traffic.sent, traffic.answers.count == traffic.sent else {
      throw BenchFailure("of \(traffic.sent) live events \(traffic.arrivals.count) came")
    }
    return [Double(elapsed) / 1e6, Double(traffic.longestNanoseconds) / 1e6]
  }
}

/// A new subscriber reads a million entries from the start of the log.
final class Replay: Measurement {
  private let setting: BenchSetting
  /// The servers with stored lines, by their names.
  private var filled: [String: Server] = [:]
  /// The bytes of an entry: a guess until the first round has counted.
  private var bytesPerEntry = 340

  init(_ setting: BenchSetting) { self.setting = setting }

  func measureRound(_ subject: Subject) throws -> [Double?] {
    let entries = setting.size(1_000_000)
    switch subject {
    case .daemon:
      let server = try filledServer(subject) { try $0.fillLog(with: entries) }
      return try replayAll(from: server, comparing: setting.plain)
    case .peer(.sealingRelay):
      let server = try filledServer(subject) { server in
        try Traffic(at: server.address, lines: setting.plain).publishAll(entries)
      }
      return try replayAll(from: server, comparing: setting.plain)
    case .peer(let peer) where peer.word != nil:
      // The queue of a session can be read once, and filling it takes a minute.
      if peer == .mosquitto, filled[subject.name] != nil { return [nil, nil] }
      let server = try filledServer(subject) { server in
        try server.storeLines(entries, of: setting.plainPath)
      }
      return try server.replayLines(entries, of: setting.plainPath)
    case .peer:
      let arguments = ["--blast", "\(entries)", "--length", "\(bytesPerEntry)"]
      let home = try setting.home("replay-relay")
      return try replayAll(
        from: Server(subject, in: home, relayArguments: arguments),
        comparing: nil
      )
    }
  }

  private func filledServer(
    _ subject: Subject,
    _ fill: (Server) throws -> Void
  ) throws -> Server {
    if let server = filled[subject.name] { return server }
    let server = try Server(subject, in: setting.home("replay-\(filled.count)"))
    try fill(server)
    filled[subject.name] = server
    return server
  }

  /// Reads all entries, and compares those that were published with `lines`, in their order.
  private func replayAll(from server: Server, comparing lines: Announcements?) throws -> [Double] {
    let expectation = lines.map { Subscriber.Expectation(lines: $0) }
    var replay: Subscriber?
    let cost = try server.cost {
      replay = try Subscriber(at: server.home.socket, from: "start", expecting: expectation)
      try replay?.catchUp()
    }
    guard let replay, replay.entries == replay.caughtUpAt else {
      let (entries, last) = (replay?.entries ?? 0, replay?.caughtUpAt ?? 0)
      throw BenchFailure("a replay up to \(last) had \(entries) entries")
    }
    bytesPerEntry = replay.bytes / replay.entries
    return cost.rates(of: replay.entries)
  }
}

/// The memory of a daemon without work, and of each quiet subscriber.
struct Memory: Measurement {
  /// Not divided for a quick run: many cost no time, and few would drown in whole pages.
  private static let subscribers = 500
  /// The time for a process to finish its work after its ready line or its last reply.
  private static let settleMilliseconds = 200
  private let setting: BenchSetting

  init(_ setting: BenchSetting) { self.setting = setting }

  func measureRound(_ subject: Subject) throws -> [Double?] {
    let server = try Server(subject, in: setting.home("memory"))
    defer { server.end() }
    // Serving once brings the server's code into memory, which counts as idle too.
    try withSubscribers(1, of: server) {}
    let idle = try settledBytes(of: server)
    var crowded = 0
    try withSubscribers(Self.subscribers, of: server) { crowded = try settledBytes(of: server) }
    return [
      Double(idle) / 1e6, Double(crowded - idle) / 1024 / Double(Self.subscribers),
    ]
  }

  private func withSubscribers(_ count: Int, of server: Server, _ body: () throws -> Void) throws {
    if server.peer?.word != nil {
      let options = ["--subscribers", "\(count)"]
      let load = try PeerLoad(.idle, over: server, options, lines: setting.plainPath)
      _ = try load.goAhead()
      try body()
      return try load.release()
    }
    let subscribers = try (0..<count).map { _ in
      let subscriber = try Subscriber(at: server.address)
      try subscriber.catchUp()
      return subscriber
    }
    try withExtendedLifetime(subscribers, body)
  }

  private func settledBytes(of server: Server) throws -> Int {
    Clock.sleep(milliseconds: Self.settleMilliseconds)
    return try server.residentBytes()
  }
}
