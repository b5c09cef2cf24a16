// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The log of a day's script, decided anew.
final class ReplayLogFigure: Figure {
  let rows = [
    Row(
      name: "a11yctl replay, a log of 1,000,000 entries, in s",
      decimals: 2,
      goals: [.atMost(5)]
    ),
    Row(
      name: "a11yctl replay, processor time per entry in µs",
      decimals: 2
    ),
  ]
  let peers: [Peer] = []
  private let setting: BenchSetting
  private var home: Home?

  init(_ setting: BenchSetting) { self.setting = setting }

  func measureRound(_ subject: RoundSubject) throws(BenchFailure) -> [Double?] {
    guard case .daemon(let daemon) = subject else { preconditionFailure("it has no peer") }
    let control = Tool.control(beside: daemon)
    let entries = setting.size(1_000_000)
    let home = try recorded(entries, with: control)
    let cost = try Tool.run(
      control,
      ["replay", home.path + "/log"],
      home: home,
      output: "/dev/null"
    )
    return [
      Double(cost.nanoseconds) / 1e9,
      Double(cost.processorNanoseconds) / 1e3 / Double(entries),
    ]
  }

  /// Plays a long enough script, and keeps this many of its entries.
  private func recorded(_ entries: Int, with control: String) throws(BenchFailure) -> Home {
    if let home { return home }
    let home = try setting.home("replay-log")
    let (script, log) = (home.path + "/script", home.path + "/log")
    // A line makes two or three entries, as a rule.
    try DayScript.create(entries * 2 / 3, to: script)
    _ = try Tool.run(control, ["simulate", script], home: home, output: log)
    try Files.cut(log, toLines: entries)
    self.home = home
    return home
  }
}
