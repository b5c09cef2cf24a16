// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The memory of a daemon without work, and of each quiet subscriber.
final class MemoryFigure: Figure {
  let rows = [
    Row(
      name: "resident memory of an idle daemon in MB",
      decimals: 1,
      target: .atMost(8)
    ),
    Row(
      name: "resident memory per idle subscriber in KB",
      decimals: 1,
      target: .atMost(2)
    ),
  ]
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
    // Serving once brings the daemon's code into memory, which counts as idle too.
    try withExtendedLifetime(try Subscriber(at: home.socket)) { subscriber throws(BenchFailure) in
      try subscriber.catchUp(through: buffer)
    }
    Clock.sleep(milliseconds: MemoryFigure.settleMilliseconds)
    let idle = try ResidentMemory.bytes(of: server.process)

    var subscribers: [Subscriber] = []
    for _ in 0..<MemoryFigure.subscribers {
      let subscriber = try Subscriber(at: home.socket)
      try subscriber.catchUp(through: buffer)
      subscribers.append(subscriber)
    }
    Clock.sleep(milliseconds: MemoryFigure.settleMilliseconds)
    let crowded = try withExtendedLifetime(subscribers) { () throws(BenchFailure) in
      try ResidentMemory.bytes(of: server.process)
    }
    return [
      Double(idle) / 1e6,
      Double(crowded - idle) / 1024 / Double(MemoryFigure.subscribers),
    ]
  }
}
