// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The start with ten million entries on disk, beside the start with one million.
final class LongHistoryFigure: Figure {
  let rows = [
    LongHistoryFigure.start("1,000,000 entries after a clean stop"),
    LongHistoryFigure.start("10,000,000 entries after a clean stop"),
    LongHistoryFigure.ratio("a clean stop"),
    LongHistoryFigure.start("1,000,000 entries after kill -9"),
    LongHistoryFigure.start("10,000,000 entries after kill -9"),
    LongHistoryFigure.ratio("kill -9"),
  ]
  private let setting: BenchSetting
  private var short: History?
  private var long: History?

  init(_ setting: BenchSetting) { self.setting = setting }

  /// It stores nothing: the bound of a process.
  let peers: [Peer] = [.relay]

  func measureRound(_ subject: RoundSubject) throws(BenchFailure) -> [Double?] {
    if case .peer = subject {
      let start = try History.startWithout(subject, in: setting)
      return [start, start, nil, start, start, nil]
    }
    try fill(subject)
    guard let short, let long else { preconditionFailure("logs are filled before they are read") }
    let few = try short.restart()
    let many = try long.restart()
    return [
      few.afterStop, many.afterStop, many.afterStop / few.afterStop,
      few.afterKill, many.afterKill, many.afterKill / few.afterKill,
    ]
  }

  private func fill(_ subject: RoundSubject) throws(BenchFailure) {
    guard short == nil else { return }
    short = try history(of: 1_000_000, "start-short", subject)
    long = try history(of: 10_000_000, "start-long", subject)
  }

  private func history(
    of entries: Int,
    _ name: String,
    _ subject: RoundSubject
  ) throws(BenchFailure) -> History {
    try History(
      of: setting.size(entries),
      adding: setting.size(10_000),
      subject,
      in: setting.home(name)
    )
  }

  private static func start(_ words: String) -> Row {
    Row(name: "start with \(words), in ms", decimals: 1, goals: [.atMostTimes(5, .relay)])
  }

  /// A ratio; starts vary by a third from round to round, while work that grows with history would
  /// take ten times as long.
  private static func ratio(_ words: String) -> Row {
    Row(
      name: "start with 10,000,000 entries against 1,000,000 after \(words), ratio",
      decimals: 2,
      goals: [.atMost(1.5)]
    )
  }
}
