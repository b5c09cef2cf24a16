// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import A11yClient
import A11yWire
import Testing

/// A mouth on the table: the test is the bus, Orca and the clock at once.
///
/// Times are in milliseconds.
struct MouthRehearsal {
  var mouth = Mouth()
  private(set) var now: Int64 = 0
  private(set) var handed: [String] = []
  private(set) var stopped: [Int64] = []
  /// The places from which deliveries were wanted; nil for none.
  private(set) var places: [LogCursor?] = []
  private(set) var renewals = 0
  private var posted: [JSONValue] = []
  private let reader = JSONReader(limit: 65_536)

  static let epoch = String(repeating: "a", count: 32)
  static let notifying = Orca(connection: ":1.5", version: OrcaVersion("43.1"), way: .notification)
  static let serving = Orca(connection: ":1.9", version: nil, way: .service(.early))

  /// A mouth that listens for this Orca, whose bus has 100 entries.
  init(_ orca: Orca? = notifying, perCharacter: Int64 = 100) {
    mouth.perCharacter = perCharacter * 1_000
    mouth.choose(true)
    mouth.meet(orca)
    connect()
  }

  /// The ranks that it has wanted to be known by.
  private(set) var ranks: [Int] = []

  mutating func connect(conn: Int64 = 9, last: Int64 = 100) {
    mouth.connected(conn: conn, epoch: Self.epoch, last: last)
    settle()
  }

  /// The reports since the last time, as in “started 7” or “finished 7 after 400, estimated”.
  mutating func reports() -> [String] {
    defer { posted = [] }
    return posted.map { event in
      var words = "\(event["state"]?.string ?? "") \(event["of"]?.integer ?? 0)"
      if let heard = event["heard_ms"]?.integer { words += " after \(heard)" }
      if event["estimated"] == true { words += ", estimated" }
      if let program = event["by"]?.string { words += ", by \(program)" }
      if let reason = event["reason"]?.string { words += ": \(reason)" }
      return words
    }
  }

  private mutating func settle() {
    for act in mouth.takeActs() {
      switch act {
      case .hand(let text, _): handed.append(text)
      case .interrupt(let delivery): stopped.append(delivery)
      case .listen(let place): places.append(place)
      case .renew: renewals += 1
      case .rank(let rank): ranks.append(rank)
      case .post(let event): posted += [JSONValue(json: event.json)].compactMap { $0 }
      }
    }
  }

  /// Does something with the mouth, and what follows from it.
  mutating func change(_ deed: (inout Mouth) -> Void) {
    deed(&mouth)
    settle()
  }

  /// Moves the clock, and rings what is due on the way.
  mutating func wait(_ milliseconds: Int64) {
    let end = now + milliseconds
    while let due = mouth.due, due <= end * 1_000 { change { $0.elapse(to: due) } }
    now = end
  }

  // MARK: Entries

  mutating func entry(_ seq: Int64, _ event: String, app: String = "a11yd") throws {
    let conn = app == "a11yd" ? 0 : 3
    let sender = #""app":"\#(app)","uid":1,"conn":\#(conn)"#
    let line = #"{"seq":\#(seq),"time":0,"mono":0,\#(sender),"event":\#(event)}"#
    try reader.read(Array(line.utf8).span)
    let entry = try Entry(seq, reader.document)
    let time = now * 1_000
    change { $0.heed(entry, at: time) }
  }

  /// An announcement by a program, through a bridge or not.
  mutating func announce(_ seq: Int64, origin: String? = nil) throws {
    let origin = origin.map { #","origin":"\#($0)""# } ?? ""
    try entry(seq, #"{"type":"announcement","text":"x"\#(origin)}"#, app: "app")
  }

  mutating func deliver(
    _ text: String,
    seq: Int64,
    of: Int64? = nil,
    to: Int64 = 9,
    _ fields: String = ""
  ) throws {
    try deliver(runs: #"[{"text":"\#(text)"}]"#, seq: seq, of: of, to: to, fields)
  }

  mutating func deliver(
    runs: String,
    seq: Int64,
    of: Int64? = nil,
    to: Int64 = 9,
    _ fields: String = ""
  ) throws {
    let event =
      #"{"type":"deliver","of":[\#(of ?? seq - 1)],"to":\#(to),"speak":\#(runs)\#(fields)}"#
    try entry(seq, event)
  }

  mutating func silence(_ seq: Int64, of: Int64) throws {
    try entry(seq, #"{"type":"silence","of":\#(of)}"#)
  }
}
