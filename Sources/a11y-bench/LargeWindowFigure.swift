// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The cost of large windows: a step of the focus, a changed element, the state, memory.
///
/// The processor time is that of the whole daemon, from the line to the reply: reading, the log,
/// the decisions. The difference between the rows is the cost of a large window.
struct LargeWindow: Measurement {
  private static let elements = 100_000
  private static let few = 1_000
  private static let listed = 100

  let remarks = [
    "A next is an action, an entry of the focus and the outcome of the one before, all on the log."
  ]
  private let setting: BenchSetting

  init(_ setting: BenchSetting) { self.setting = setting }

  func measureRound(_ subject: Subject) throws -> [Double?] {
    let many = try measure(Self.elements, subject)
    let few = try measure(Self.few, subject)
    let (state, wait) = try state(10_000, subject)
    return [many.next, few.next, many.change, many.change - few.change, state, wait, many.memory]
  }

  typealias Costs = (next: Double, change: Double, memory: Double)

  func measure(_ count: Int, _ subject: Subject) throws -> Costs {
    let server = try Server(subject, in: setting.home("focus-\(count)"))
    defer { server.end() }
    let app = try Asker(at: server.home.socket)
    try app.ask(#"{"id":1,"op":"hello","app":"bench"}"# + "\n")
    // The first element brings code and tables into memory; then it goes, to keep to the bound.
    try fill(1, app, window: "first")
    try app.publish(#"{"type":"window","window":"first","state":"closed"}"#)
    let before = try server.residentBytes()
    try fill(count, app, window: "w")
    let after = try server.residentBytes()
    var costs: Costs = (0, 0, 0)
    let texts = (0..<count).reduce(0) { $0 + Sayings.text($1).utf8.count } / count + 6
    costs.memory = Double(after - before) / Double(count) - Double(texts)
    try app.publish(#"{"type":"window","window":"w","state":"active"}"#)
    let times = setting.size(20_000)
    let next = Asker.publication(#"{"type":"action","action":"next"}"#)
    let previous = Asker.publication(#"{"type":"action","action":"previous"}"#)
    costs.next = try cost(next + previous, 2, times / 2, app, server) / 2
    let change = Asker.publication(
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
  ) throws -> Double {
    let batch = 20
    let text = String(repeating: lines, count: batch)
    for _ in 0..<10 { try app.ask(text, count: count * batch) }
    return try server.cost {
      for _ in 0..<times / batch { try app.ask(text, count: count * batch) }
    }.microseconds(each: times / batch * batch)
  }

  /// The time that the state takes, and the longest wait of another connection meanwhile.
  private func state(_ count: Int, _ subject: Subject) throws -> (state: Double, wait: Double) {
    let server = try Server(subject, in: setting.home("focus-state"))
    defer { server.end() }
    let app = try Asker(at: server.home.socket)
    try app.ask(#"{"id":1,"op":"hello","app":"bench"}"# + "\n")
    try fill(count, app, window: "w")
    let last = try server.last()
    try app.publish(#"{"type":"announcement","text":"Behind"}"#)
    let other = try Asker(at: server.home.socket)
    let ping = #"{"id":1,"op":"ping"}"# + "\n"
    for _ in 0..<100 { try other.ask(ping) }
    var times: [Double] = []
    var longest = 0.0
    for _ in 0..<20 {
      let asked = try app.pollAnswers()
      let start = Clock.nanoseconds()
      try app.sendLines(#"{"id":1,"op":"state","at":\#(last)}"# + "\n")
      var done = 0
      repeat {
        let before = Clock.nanoseconds()
        try other.ask(ping)
        longest = max(longest, Double(Clock.nanoseconds() - before) / 1e6)
        done = try app.pollAnswers()
      } while done == asked
      times.append(Double(Clock.nanoseconds() - start) / 1e6)
    }
    return (times.quantile(0.5), longest)
  }

  private func fill(_ count: Int, _ app: Asker, window: String) throws {
    var start = 0
    while start < count {
      let end = min(start + Self.listed, count)
      let list = (start..<end).map { #"{"id":"e\#($0)","label":"\#(Sayings.text($0))"}"# }
        .joined(separator: ",")
      try app.publish(#"{"type":"elements","window":"\#(window)","upsert":[\#(list)]}"#)
      start = end
    }
  }
}
