// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The cost of large windows: a step of the focus, a changed element, the state, memory.
///
/// The processor time is that of the whole daemon, from the line to the reply: reading, the log,
/// the decisions. The difference between the rows is the cost of a large window.
final class FocusFigure: Figure {
  private static let elements = 100_000
  private static let few = 1_000
  private static let listed = 100

  let rows = [
    Row(
      name: "next among 100,000 elements, processor time of the daemon in µs",
      decimals: 1,
      goals: [.atMost(50)]
    ),
    Row(
      name: "next among 1,000 elements, processor time of the daemon in µs",
      decimals: 1
    ),
    Row(
      name: "one changed element among 100,000, processor time of the daemon in µs",
      decimals: 1
    ),
    Row(
      name: "one changed element, what 100,000 cost more than 1,000, in µs",
      decimals: 1,
      goals: [.atMost(2)]
    ),
    Row(
      name: "state among 10,000 elements, asked of an earlier entry, in ms",
      decimals: 1,
      goals: [.atMost(20)]
    ),
    Row(
      name: "the longest that another connection waits meanwhile, in ms",
      decimals: 1,
      goals: [.atMost(5)]
    ),
    Row(
      name: "memory per element beyond its texts in bytes",
      decimals: 0,
      goals: [.atMost(400)]
    ),
  ]
  let peers: [Peer] = []
  let remarks = [
    "A next is an action, an entry of the focus and the outcome of the one before, all on the log."
  ]
  private let setting: BenchSetting
  private let buffer = LineBuffer()

  init(_ setting: BenchSetting) { self.setting = setting }

  func measureRound(_ subject: RoundSubject) throws(BenchFailure) -> [Double?] {
    let many = try measure(Self.elements, subject)
    let few = try measure(Self.few, subject)
    let (state, wait) = try state(10_000, subject)
    return [many.next, few.next, many.change, many.change - few.change, state, wait, many.memory]
  }

  struct Costs {
    var next = 0.0
    var change = 0.0
    var memory = 0.0
  }

  func measure(_ count: Int, _ subject: RoundSubject) throws(BenchFailure) -> Costs {
    let server = try Server(subject, in: setting.home("focus-\(count)"))
    defer { server.end() }
    let app = try Asker(at: server.home.socket)
    try app.ask(Self.hello("bench"), count: 1, through: buffer)
    // The first element brings code and tables into memory; then it goes, to keep to the bound.
    try fill(1, app, window: "first")
    try app.ask(
      Self.publication(#"{"type":"window","window":"first","state":"closed"}"#),
      count: 1,
      through: buffer
    )
    let before = try ResidentMemory.bytes(of: server.process)
    try fill(count, app, window: "w")
    let after = try ResidentMemory.bytes(of: server.process)
    var costs = Costs()
    let texts = (0..<count).reduce(0) { $0 + Sayings.text($1).utf8.count } / count + 6
    costs.memory = Double(after - before) / Double(count) - Double(texts)
    try app.ask(
      Self.publication(#"{"type":"window","window":"w","state":"active"}"#),
      count: 1,
      through: buffer
    )
    let times = setting.size(20_000)
    let next = Self.publication(#"{"type":"action","action":"next"}"#)
    let previous = Self.publication(#"{"type":"action","action":"previous"}"#)
    costs.next = try cost(next + previous, 2, times / 2, app, server) / 2
    let change = Self.publication(
      #"{"type":"elements","window":"w","upsert":[{"id":"e50","hint":"Changes."}]}"#
    )
    costs.change = try cost(change, 1, times, app, server)
    return costs
  }

  /// The daemon's processor time for each processing of these lines, in µs.
  private func cost(
    _ lines: String,
    _ count: Int,
    _ times: Int,
    _ app: Asker,
    _ server: Server
  ) throws(BenchFailure) -> Double {
    let batch = 20
    let text = String(repeating: lines, count: batch)
    for _ in 0..<10 { try app.ask(text, count: count * batch, through: buffer) }
    let before = try server.processorNanoseconds()
    for _ in 0..<times / batch { try app.ask(text, count: count * batch, through: buffer) }
    let spent = try server.processorNanoseconds() - before
    return Double(spent) / 1e3 / Double(times / batch * batch)
  }

  /// The time that the state takes, and the longest wait of another connection meanwhile.
  private func state(
    _ count: Int,
    _ subject: RoundSubject
  ) throws(BenchFailure) -> (state: Double, wait: Double) {
    let server = try Server(subject, in: setting.home("focus-state"))
    defer { server.end() }
    let app = try Asker(at: server.home.socket)
    try app.ask(Self.hello("bench"), count: 1, through: buffer)
    try fill(count, app, window: "w")
    let last = try server.last()
    try app.ask(
      Self.publication(#"{"type":"announcement","text":"Behind"}"#),
      count: 1,
      through: buffer
    )
    let other = try Asker(at: server.home.socket)
    let ping = #"{"id":1,"op":"ping"}"# + "\n"
    try other.ask(ping, times: 100, through: buffer)
    var times: [Double] = []
    var longest = 0.0
    for _ in 0..<20 {
      let asked = try app.pollAnswers(through: buffer)
      let start = Clock.nanoseconds()
      try app.sendLines(#"{"id":1,"op":"state","at":\#(last)}"# + "\n")
      var done = 0
      repeat {
        let before = Clock.nanoseconds()
        try other.ask(ping, count: 1, through: buffer)
        longest = max(longest, Double(Clock.nanoseconds() - before) / 1e6)
        done = try app.pollAnswers(through: buffer)
      } while done == asked
      times.append(Double(Clock.nanoseconds() - start) / 1e6)
    }
    return (RoundStatistics.quantile(0.5, of: times.sorted()), longest)
  }

  private func fill(_ count: Int, _ app: Asker, window: String) throws(BenchFailure) {
    var start = 0
    while start < count {
      let end = min(start + Self.listed, count)
      let list = (start..<end).map { #"{"id":"e\#($0)","label":"\#(Sayings.text($0))"}"# }
        .joined(separator: ",")
      try app.ask(
        Self.publication(#"{"type":"elements","window":"\#(window)","upsert":[\#(list)]}"#),
        count: 1,
        through: buffer
      )
      start = end
    }
  }

  private static func hello(_ app: String) -> String {
    #"{"id":1,"op":"hello","app":"\#(app)"}"# + "\n"
  }

  private static func publication(_ event: String) -> String {
    #"{"id":1,"op":"publish","event":\#(event)}"# + "\n"
  }
}
