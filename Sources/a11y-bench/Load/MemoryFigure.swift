// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The memory of a daemon without work, and of each quiet subscriber.
final class MemoryFigure: Figure {
  let rows = [
    Row(
      name: "resident memory of an idle server in MB",
      decimals: 1,
      goals: [.atMost(6)]
    ),
    Row(
      name: "resident memory per idle subscriber in KB",
      decimals: 1,
      goals: [.atMost(0.8)]
    ),
  ]
  let peers = Peer.buses
  /// Not divided for a quick run: many cost no time, and few would drown in whole pages.
  private static let subscribers = 500
  /// The time for a process to finish its work after its ready line or its last reply.
  private static let settleMilliseconds = 200
  private let setting: BenchSetting
  private let buffer = LineBuffer()

  init(_ setting: BenchSetting) { self.setting = setting }

  func measureRound(_ subject: RoundSubject) throws(BenchFailure) -> [Double?] {
    let home = try setting.home("memory")
    let server = try Server(subject, in: home)
    defer { server.end() }
    let (idle, crowded) =
      if subject.server != nil {
        try measureLoads(server)
      } else {
        try measureSubscribers(server)
      }
    return [
      Double(idle) / 1e6,
      Double(crowded - idle) / 1024 / Double(MemoryFigure.subscribers),
    ]
  }

  private func measureSubscribers(_ server: Server) throws(BenchFailure) -> (Int, Int) {
    // Serving once brings the daemon's code into memory, which counts as idle too.
    try withExtendedLifetime(try Subscriber(at: server.address)) { one throws(BenchFailure) in
      try one.catchUp(through: buffer)
    }
    let idle = try settledBytes(of: server)
    var subscribers: [Subscriber] = []
    for _ in 0..<MemoryFigure.subscribers {
      let subscriber = try Subscriber(at: server.address)
      try subscriber.catchUp(through: buffer)
      subscribers.append(subscriber)
    }
    return try withExtendedLifetime(subscribers) { () throws(BenchFailure) in
      (idle, try settledBytes(of: server))
    }
  }

  private func measureLoads(_ server: Server) throws(BenchFailure) -> (Int, Int) {
    let lines = setting.lines.plain.path
    let one = try PeerLoad(.idle, over: server, ["--subscribers", "1"], lines: lines)
    _ = try one.measure()
    try one.release()
    let idle = try settledBytes(of: server)
    let options = ["--subscribers", "\(MemoryFigure.subscribers)"]
    let crowd = try PeerLoad(.idle, over: server, options, lines: lines)
    _ = try crowd.measure()
    let crowded = try settledBytes(of: server)
    try crowd.release()
    return (idle, crowded)
  }

  private func settledBytes(of server: Server) throws(BenchFailure) -> Int {
    Clock.sleep(milliseconds: MemoryFigure.settleMilliseconds)
    return try server.residentBytes()
  }
}
