// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A day's script, played in virtual time.
final class SimulateFigure: Figure {
  let rows = [
    Row(
      name: "a11yctl simulate, a script of 500,000 lines, lines per second",
      decimals: 0,
      goals: [.atLeast(500_000)]
    ),
    Row(
      name: "a11yctl simulate, processor time per line in µs",
      decimals: 2
    ),
  ]
  let peers: [Peer] = []
  private let setting: BenchSetting
  private var home: Home?

  init(_ setting: BenchSetting) { self.setting = setting }

  func measureRound(_ subject: RoundSubject) throws(BenchFailure) -> [Double?] {
    guard case .daemon(let daemon) = subject else { preconditionFailure("it has no peer") }
    let lines = setting.size(500_000)
    let home = try scripted(lines)
    let cost = try Tool.run(
      Tool.control(beside: daemon),
      ["simulate", home.path + "/script"],
      home: home,
      output: "/dev/null"
    )
    return [
      Double(lines) * 1e9 / Double(cost.nanoseconds),
      Double(cost.processorNanoseconds) / 1e3 / Double(lines),
    ]
  }

  private func scripted(_ lines: Int) throws(BenchFailure) -> Home {
    if let home { return home }
    let home = try setting.home("simulate")
    try DayScript.create(lines, to: home.path + "/script")
    self.home = home
    return home
  }
}
