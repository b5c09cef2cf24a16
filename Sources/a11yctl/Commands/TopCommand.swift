// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yWire

/// Tells, again and again, which apps publish the most, and how much of it is heard.
struct TopCommand: Command {
  static let name = "top"
  static let summary = "tell the busiest apps, and how much of them is heard, as it goes on"
  static let usage = "[OPTION]..."
  static let notes = """
    Says for each app how many events it has published since the bus started, how many of them were
    heard and how many were not, the busiest first. Then it says the same of each span of time in
    which something was published; a quiet span says nothing.
    """
  static let options = [
    Flag("every", "TIME", "the span, as in \"10 s\"; 5 s if not given"),
    Flag("count", "N", "end after so many spans"),
    Flag("once", nil, "end after the first tally"),
  ]

  private static let spans: ClosedRange<Duration> = .milliseconds(100) ... .seconds(86_400)

  private let path: String
  private let span: Duration
  private let count: Int64

  init(_ words: CommandWords) throws(Failure) {
    try words.refuseOperands()
    path = try words.socket(for: .operation(.stats)).path
    span = try words.value("every").map(Self.span) ?? .seconds(5)
    let stated = try words.integer("count", in: 1 ... .max)
    count = words.has("once") ? 0 : stated ?? .max
  }

  private static func span(_ text: String) throws(Failure) -> Duration {
    guard let span = Moment.length(text), spans ~= span else {
      throw Failure(
        .usage,
        "--every expects a time from 100 ms to a day, as in \"10 s\"; got \(text)."
      )
    }
    return span
  }

  func run(_ output: Output) throws(Failure) {
    let bus = try asking { () throws(ClientError) in try BusConnection(path: path) }
    var tally = try Self.tally(bus)
    for line in tally.sentences("Since the bus started") { output.line(line) }
    try output.flush()
    let words = "In the last \(Quantity.text(microseconds: span.milliseconds * 1_000))"
    var left = count
    while left > 0 {
      // There is no subscription: nothing comes, and the end of the bus is noticed at once.
      _ = try asking { () throws(ClientError) in try bus.next(timeout: span) }
      let next = try Self.tally(bus)
      for line in next.growth(since: tally).sentences(words) { output.line(line) }
      try output.flush()
      tally = next
      left -= 1
    }
  }

  private static func tally(_ bus: BusConnection) throws(Failure) -> AppTally {
    AppTally(try asking { () throws(ClientError) in try bus.request("stats") })
  }
}
