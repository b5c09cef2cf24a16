// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A new subscriber reads a million entries from the start of the log.
final class ReplayFigure: Figure {
  let rows = [
    Row(
      name: "replay of 1,000,000 entries, entries per second",
      decimals: 0,
      target: .atLeast(4_000_000)
    ),
    Row(
      name: "replay of 1,000,000 entries, processor time per entry in µs",
      decimals: 2,
      target: .atMost(0.1)
    ),
  ]
  private let setting: BenchSetting
  private let buffer = LineBuffer()
  private var filled: Server?
  /// The bytes of an entry: a guess until the first round has counted.
  private var bytesPerEntry = 340

  init(_ setting: BenchSetting) { self.setting = setting }

  func measureRound(_ subject: RoundSubject) throws(BenchFailure) -> [Double?] {
    switch subject {
    case .daemon:
      return try replayAll(from: filledDaemon(subject))
    case .peer:
      let home = try setting.home("replay-relay")
      let entries = setting.size(1_000_000)
      let arguments = ["--blast", "\(entries)", "--length", "\(bytesPerEntry)"]
      return try replayAll(from: Server(subject, in: home, relayArguments: arguments))
    }
  }

  private func filledDaemon(_ subject: RoundSubject) throws(BenchFailure) -> Server {
    if let filled { return filled }
    let server = try Server(subject, in: setting.home("replay"))
    _ = try Archive.fill(server, with: setting.size(1_000_000))
    filled = server
    return server
  }

  private func replayAll(from server: Server) throws(BenchFailure) -> [Double] {
    let processorBefore = try server.processorNanoseconds()
    let before = Clock.nanoseconds()
    let subscriber = try Subscriber(at: server.home.socket, from: "start")
    try subscriber.catchUp(through: buffer)
    let elapsed = Clock.nanoseconds() - before
    let processor = try server.processorNanoseconds() - processorBefore

    let entries = subscriber.entries
    guard entries == subscriber.caughtUpAt else {
      throw BenchFailure("a replay up to \(subscriber.caughtUpAt ?? 0) had \(entries) entries")
    }
    bytesPerEntry = subscriber.bytes / entries
    return [Double(entries) * 1e9 / Double(elapsed), Double(processor) / 1e3 / Double(entries)]
  }
}
