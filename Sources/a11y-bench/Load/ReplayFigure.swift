// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A new subscriber reads a million entries from the start of the log.
final class ReplayFigure: Figure {
  let rows = [
    Row(
      name: "replay of 1,000,000 entries, entries per second",
      decimals: 0,
      goals: [.atLeastTimes(0.6, .relay)]
    ),
    Row(
      name: "replay of 1,000,000 entries, processor time per entry in µs",
      decimals: 2
    ),
  ]
  /// D-Bus stores nothing.
  let peers: [Peer] = [.relay, .sealingRelay, .redis, .nats, .mosquitto]
  private let setting: BenchSetting
  private let buffer = LineBuffer()
  /// The servers with stored lines, by their names.
  private var filled: [String: Server] = [:]
  /// The bytes of an entry: a guess until the first round has counted.
  private var bytesPerEntry = 340

  init(_ setting: BenchSetting) { self.setting = setting }

  func measureRound(_ subject: RoundSubject) throws(BenchFailure) -> [Double?] {
    let entries = setting.size(1_000_000)
    switch subject {
    case .daemon, .peer(.sealingRelay):
      let server = try filledServer(subject) { server throws(BenchFailure) in
        if case .daemon = subject {
          _ = try Archive.fill(server, with: entries)
        } else {
          try Traffic(at: server.address, lines: Announcements(), subscribers: 0)
            .publishAll(entries)
        }
      }
      return try replayAll(from: server, comparing: Announcements())
    case .peer(let peer) where peer.word != nil:
      // The queue of a session can be read once, and filling it takes a minute.
      if peer == .mosquitto, filled[subject.name] != nil { return [nil, nil] }
      let server = try filledServer(subject) { server throws(BenchFailure) in
        try StoredLines.store(entries, to: server, setting.lines.plain)
      }
      return try StoredLines.replay(entries, from: server, setting.lines.plain)
    case .peer:
      let home = try setting.home("replay-relay")
      let arguments = ["--blast", "\(entries)", "--length", "\(bytesPerEntry)"]
      let server = try Server(subject, in: home, relayArguments: arguments)
      return try replayAll(from: server, comparing: nil)
    }
  }

  private func filledServer(
    _ subject: RoundSubject,
    _ fill: (Server) throws(BenchFailure) -> Void
  ) throws(BenchFailure) -> Server {
    if let server = filled[subject.name] { return server }
    let server = try Server(subject, in: setting.home("replay-\(filled.count)"))
    try fill(server)
    filled[subject.name] = server
    return server
  }

  /// Reads all entries, and compares those that were published with `lines`, in their order.
  private func replayAll(
    from server: Server,
    comparing lines: Announcements?
  ) throws(BenchFailure) -> [Double?] {
    let processorBefore = try server.processorNanoseconds()
    let before = Clock.nanoseconds()
    let subscriber = try Subscriber(at: server.home.socket, from: "start")
    var next = 0
    try subscriber.catchUp(through: buffer) { line throws(BenchFailure) in
      guard let lines else { return }
      guard lines.isLine(next, in: line) else {
        throw BenchFailure("a replay had in place of line \(next): \(quote(line))")
      }
      next += 1
    }
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
