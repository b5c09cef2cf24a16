// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// The rows of each table, counted in the order in which they are written: places mean nothing to
/// another process.
struct RowOrders {
  let bursts: [Int: Int64]
  let buckets: [Int: Int64]
  let storms: [Int: Int64]
  let busies: [Int: Int64]

  init(_ pipeline: Pipeline) {
    bursts = Self.orders(of: pipeline.coalesce.rows)
    buckets = Self.orders(of: pipeline.rate.rows)
    storms = Self.orders(of: pipeline.storm.rows)
    busies = Self.orders(of: pipeline.busy.rows)
  }

  private static func orders<Value>(of table: BoundedTable<Key, Value>) -> [Int: Int64] {
    var orders: [Int: Int64] = [:]
    for (order, place) in table.inOrder.enumerated() { orders[place] = Int64(order) }
    return orders
  }
}

/// An alarm by its name, with a number that means the same to another process.
struct RecordedAlarm: Recorded {
  private var kind: String
  private var number: Int64
  private(set) var due: Instant
  private(set) var by: Seq

  static var blank: RecordedAlarm { RecordedAlarm(kind: "", number: 0, due: .blank, by: .none) }

  private init(kind: String, number: Int64, due: Instant, by: Seq) {
    self.kind = kind
    self.number = number
    self.due = due
    self.by = by
  }

  init?(_ alarm: Alarms.Alarm, _ due: Instant, _ by: Seq, _ orders: RowOrders) {
    let told: (kind: String, number: Int64)? =
      switch alarm {
      case .expiry(let seq): ("expiry", seq.number)
      case .release(let seq): ("release", seq.number)
      case .burst(let place): orders.bursts[place].map { ("burst", $0) }
      case .bucket(let place): orders.buckets[place].map { ("bucket", $0) }
      case .storm(let place): orders.storms[place].map { ("storm", $0) }
      case .busy(let place): orders.busies[place].map { ("busy", $0) }
      case .estimate: ("estimate", 0)
      case .cut(let seq): ("cut", seq.number)
      case .again(let seq): ("again", seq.number)
      case .offer(let seq): ("offer", seq.number)
      case .grace: ("grace", 0)
      case .reading: ("reading", 0)
      case .pause(let conn): ("pause", conn)
      case .gesture(let seq): ("gesture", seq.number)
      case .apps: ("apps", 0)
      case .disturbance: ("disturbance", 0)
      }
    guard let told else { return nil }
    self.init(kind: told.kind, number: told.number, due: due, by: by)
  }

  /// Nil for an alarm of the future.
  var alarm: Alarms.Alarm? {
    switch kind {
    case "expiry": .expiry(Seq(number))
    case "release": .release(Seq(number))
    case "burst": .burst(Int(number))
    case "bucket": .bucket(Int(number))
    case "storm": .storm(Int(number))
    case "busy": .busy(Int(number))
    case "estimate": .estimate
    case "cut": .cut(Seq(number))
    case "again": .again(Seq(number))
    case "offer": .offer(Seq(number))
    case "grace": .grace
    case "reading": .reading
    case "pause": .pause(number)
    case "gesture": .gesture(Seq(number))
    case "apps": .apps
    case "disturbance": .disturbance
    default: nil
    }
  }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&kind)
    scribe.transcribe(&number)
    scribe.transcribe(&due)
    scribe.transcribe(&by)
  }
}
