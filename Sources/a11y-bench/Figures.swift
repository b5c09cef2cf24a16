// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Something that is measured round by round, of the daemon and of its peers in turns.
struct Figure: Sendable {
  /// The name that the command line knows.
  let word: String
  /// The lines of the table that it fills.
  let rows: [Row]
  /// The peers of the daemon.
  let peers: [Peer]
  /// Whether it takes minutes, and is measured only when it is named.
  let isLong: Bool
  /// Begins a measurement.
  let begin: @Sendable (BenchSetting) -> any Measurement

  init(
    _ word: String,
    _ rows: [Row],
    beside peers: [Peer] = [],
    isLong: Bool = false,
    _ begin: @escaping @Sendable (BenchSetting) -> any Measurement
  ) {
    self.word = word
    self.rows = rows
    self.peers = peers
    self.isLong = isLong
    self.begin = begin
  }
}

/// A measurement under way.
protocol Measurement {
  /// The reason why it cannot be done here, if there is one.
  var obstacle: String? { get }
  /// Sentences without which the measured rows cannot be understood.
  var remarks: [String] { get }

  /// Measures once and returns a value for each row; nil where the subject has no such thing.
  func measureRound(_ subject: Subject) throws -> [Double?]
}

extension Measurement {
  var obstacle: String? { nil }
  var remarks: [String] { [] }
}

extension Figure {
  /// All figures, in the order in which they are measured.
  static let all: [Figure] = [
    Figure(
      "stream",
      [
        Row("1 publisher, 1 subscriber, events per second", 0, .atLeastTimes(2, .redis)),
        Row(
          "1 publisher, 1 subscriber, processor time per event in µs",
          2,
          .atMostTimes(0.5, .redis)
        ),
      ],
      beside: Peer.buses
    ) { FanOut($0, subscribers: 1, events: $0.size(500_000)) },
    fanOut("fan-out", 100, events: 30_000),
    Figure(
      "latency",
      ["median", "99th percentile"].map {
        Row(
          "publisher to subscriber at 1,000 events a second, \($0) in µs",
          0,
          .atMostTimes(1, .dbus),
          .atMostTimes(1.5, .relay),
          .atMostTimes(1.2, .sealingRelay)
        )
      },
      beside: Peer.buses,
      Latency.init
    ),
    Figure(
      "replay",
      [
        Row("replay of 1,000,000 entries, entries per second", 0, .atLeastTimes(0.6, .relay)),
        Row("replay of 1,000,000 entries, processor time per entry in µs", 2),
      ],
      // D-Bus stores nothing.
      beside: [.relay, .sealingRelay, .redis, .nats, .mosquitto],
      Replay.init
    ),
    Figure(
      "start",
      [start("1,000,000", "a clean stop"), start("1,000,000", "kill -9")],
      // D-Bus and the relay store nothing; the relay's start is the bound of a process.
      beside: [.relay, .redis, .nats, .mosquitto],
      StartUp.init
    ),
    Figure(
      "memory",
      [
        Row("resident memory of an idle server in MB", 1, .atMost(6)),
        Row("resident memory per idle subscriber in KB", 1, .atMost(0.8)),
      ],
      beside: Peer.buses,
      Memory.init
    ),
    Figure(
      "publishers",
      [
        Row(
          "200 publishers, each waiting for its acknowledgement, events per second",
          0,
          .atLeastTimes(0.7, .relay),
          .atLeastTimes(1.5, .redis)
        )
      ],
      beside: Peer.buses,
      Publishers.init
    ),
    Figure(
      "synced",
      [
        Row(
          "8 publishers, each with 1,024 events on their way to the disk, synced events per second",
          0,
          .atLeast(200_000)
        ),
        Row("8 publishers, processor time per synced event in µs", 2),
        Row(
          "1 publisher, waiting for the disk each time, median in µs",
          0,
          .atMostBeyond(300, .disk)
        ),
        Row("1 publisher, waiting for the disk each time, 99th percentile in µs", 0),
      ],
      beside: [.disk],
      Synced.init
    ),
    Figure(
      "sqlite",
      [
        rate("safe from a loss of power: synced, SQLite with synchronous=FULL", .better),
        time("safe from a loss of power"),
        rate("safe from a crash: written, SQLite with synchronous=NORMAL", .better),
        time("safe from a crash"),
        // Here SQLite promises less: it may lose the table, and the daemon loses a second.
        rate("safe from a crash: written, SQLite with synchronous=OFF"),
        time("safe from a crash, SQLite with synchronous=OFF"),
      ],
      beside: [.sqlite],
      Stored.init
    ),
    Figure(
      "start10m",
      ["a clean stop", "kill -9"].flatMap { end in
        [
          start("1,000,000", end), start("10,000,000", end),
          // Starts vary by a third from round to round, while work that grows with history would
          // take ten times as long.
          Row(
            "start with 10,000,000 entries against 1,000,000 after \(end), ratio",
            2,
            .atMost(1.5)
          ),
        ]
      },
      // It stores nothing: the bound of a process.
      beside: [.relay],
      isLong: true,
      LongStart.init
    ),
    fanOut("subscribers1k", 1_000, events: 3_000, isLong: true),
    fanOut("subscribers10k", 10_000, events: 300, isLong: true),
    Figure(
      "late",
      [
        Row("until a subscriber ten minutes behind is live, in ms", 0),
        Row("longest way of a live event meanwhile, in ms", 1),
      ],
      beside: [.sealingRelay],
      isLong: true,
      Late.init
    ),
    Figure(
      "full-disk",
      [
        Row("full disk, events published per second", 0),
        Row("full disk, events that the live subscriber did not get", 0, .atMost(0)),
        Row("full disk, longest way of an event, in ms", 1),
        Row("full disk, events acknowledged as received", 0),
        Row("full disk, events acknowledged as written", 0),
        Row("full disk, until events are written again once there is room, in s", 2, .atMost(5)),
        Row("full disk, entries declared as a gap for storage after a restart", 0),
        Row("full disk, entries missing after a restart, and not declared", 0, .atMost(0)),
        Row("full disk, entries missing after a restart, though written", 0, .atMost(0)),
      ],
      isLong: true,
      FullDisk.init
    ),
    Figure(
      "focus",
      [
        Row("next among 100,000 elements, processor time of the daemon in µs", 1, .atMost(50)),
        Row("next among 1,000 elements, processor time of the daemon in µs", 1),
        Row("one changed element among 100,000, processor time of the daemon in µs", 1),
        Row("one changed element, what 100,000 cost more than 1,000, in µs", 1, .atMost(2)),
        Row("state among 10,000 elements, asked of an earlier entry, in ms", 1, .atMost(20)),
        Row("the longest that another connection waits meanwhile, in ms", 1, .atMost(5)),
        Row("memory per element beyond its texts in bytes", 0, .atMost(400)),
      ],
      LargeWindow.init
    ),
    Figure(
      "heard",
      [
        Row("announcements with a reader who reports, events per second", 0),
        Row(
          "announcements with a reader who reports, processor time per event in µs",
          2,
          .atMostTimes(0.8, .redis)
        ),
      ],
      // Redis passes on the same lines to one subscriber, and decides nothing.
      beside: [.relay, .redis],
      Heard.init
    ),
    Figure(
      "flood",
      [
        "daemon time from publish to deliver, worst", "from publish to deliver, median",
        "from publish to deliver, 99 %",
      ].map { Row("high amid 100,000 low a second, \($0) in ms", 2, .atMost(10)) },
      beside: [.relay],
      Flood.init
    ),
    Figure(
      "simulate",
      [
        Row(
          "a11yctl simulate, a script of 500,000 lines, lines per second",
          0,
          .atLeast(500_000)
        ),
        Row("a11yctl simulate, processor time per line in µs", 2),
      ],
      Simulated.init
    ),
    Figure(
      "replay-log",
      [
        Row("a11yctl replay, a log of 1,000,000 entries, in s", 2, .atMost(5)),
        Row("a11yctl replay, processor time per entry in µs", 2),
      ],
      ReplayedLog.init
    ),
    Figure(
      "post",
      [
        Row("a11y_post in C, the app's time per event in µs", 2, .atMost(3)),
        Row("Client.post in Swift, the app's time per event in µs", 2, .atMost(60)),
      ],
      Posted.init
    ),
  ]

  /// Many subscribers take two turns: all of them want everything, then half of them want every
  /// second line alone.
  private static func fanOut(
    _ word: String,
    _ subscribers: Int,
    events: Int,
    isLong: Bool = false
  ) -> Figure {
    let all = grouped(Double(subscribers)) + " subscribers"
    let half = grouped(Double(subscribers / 2)) + " of them with a filter"
    return Figure(
      word,
      [
        Row("1 publisher, \(all), deliveries per second", 0),
        Row(
          "1 publisher, \(all), processor time per delivery in µs",
          2,
          .atMostTimes(0.2, .redis)
        ),
        Row("\(all), \(half), deliveries per second", 0),
        Row("\(all), \(half), processor time per delivery in µs", 2),
      ],
      beside: Peer.buses,
      isLong: isLong
    ) { FanOut($0, subscribers: subscribers, events: $0.size(events)) }
  }

  private static func start(_ entries: String, _ end: String) -> Row {
    Row("start with \(entries) entries after \(end), in ms", 1, .atMostTimes(5, .relay))
  }

  private static func rate(_ words: String, _ goals: Goal...) -> Row {
    Row("\(words), rows per second", 0, goals)
  }

  private static func time(_ words: String) -> Row {
    Row("\(words), processor time per row in µs", 2)
  }
}

extension Goal {
  fileprivate static let better = Goal.atLeastTimes(1, .sqlite)
}

/// The common settings of all figures of a run.
struct BenchSetting {
  /// The directory of all homes.
  let directory: String
  /// The divisor of all sizes.
  let divisor: Int
  /// The seconds for which the disk stays full.
  let fullSeconds: Int
  /// The lines of every load.
  let plain = Announcements()
  /// Lines of which each second one passes a filter.
  let mixed = Announcements(priority: .byTurns)

  /// Writes the lines as files for the loads in C.
  func writeLines() throws {
    try write(String(decoding: plain.bytes, as: UTF8.self), to: plainPath)
    try write(String(decoding: mixed.bytes, as: UTF8.self), to: mixedPath)
  }

  var plainPath: String { directory + "/lines" }
  var mixedPath: String { directory + "/mixed-lines" }

  func size(_ full: Int) -> Int { full / divisor }

  func home(_ name: String, settings: String = "") throws -> Home {
    try Home(name, below: directory, settings: settings)
  }

  var fileSystem: FileSystem { FileSystem(of: directory) }
}
