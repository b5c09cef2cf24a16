// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The start of a daemon with a million entries on disk, after a clean stop and after a kill.
final class StartUpFigure: Figure {
  let rows = [
    Row(
      name: "start with 1,000,000 entries after a clean stop, in ms",
      decimals: 1,
      target: .atMost(15)
    ),
    Row(
      name: "start with 1,000,000 entries after kill -9, in ms",
      decimals: 1,
      target: .atMost(15)
    ),
  ]
  private let setting: BenchSetting
  private var history: History?

  init(_ setting: BenchSetting) { self.setting = setting }

  func measureRound(_ subject: RoundSubject) throws(BenchFailure) -> [Double?] {
    switch subject {
    case .daemon:
      let history = try filled(subject)
      let starts = try history.restart()
      return [starts.afterStop, starts.afterKill]
    case .peer:
      var starts: [Double] = []
      for _ in 0..<History.starts {
        let server = try Server(subject, in: setting.home("start-relay"))
        starts.append(Double(server.startNanoseconds) / 1e6)
      }
      return [History.median(starts), History.median(starts)]
    }
  }

  private func filled(_ subject: RoundSubject) throws(BenchFailure) -> History {
    if let history { return history }
    let filled = try History(
      of: setting.size(1_000_000),
      adding: setting.size(10_000),
      subject,
      in: setting.home("start")
    )
    history = filled
    return filled
  }
}
