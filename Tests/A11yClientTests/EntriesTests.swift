// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

@testable import A11yClient
import A11yTestKit
import Testing

@Suite(.timeLimit(.minutes(hangs)))
struct EntriesTests {
  /// Comes back at once, so that no test waits.
  private func client(_ bus: FakeBus) -> Client {
    Client(
      app: "org.test",
      role: nil,
      path: bus.path,
      backoff: Backoff(first: .zero, longest: .zero)
    )
  }

  private static let greeted = #"{"id":0,"ok":{"protocol":1}}"#

  /// The seqs, and the names of marks, of the next items.
  private func take(_ count: Int, of entries: Entries) async throws -> [String] {
    var told: [String] = []
    for try await item in entries {
      switch item {
      case .entry(let entry): told.append(String(entry.seq))
      case .mark(.caughtUp): told.append("caught-up")
      case .mark(.away): told.append("away")
      case .mark(.withdrawn(let from, let to)): told.append("withdrawn \(from)-\(to)")
      case .mark(.gap(let from, let to, let reason)): told.append("gap \(from)-\(to) \(reason)")
      case .mark(.newEpoch): told.append("new epoch")
      case .mark(.anotherLog(let epoch)): told.append("another log \(epoch)")
      case .mark: told.append("mark")
      }
      if told.count == count { break }
    }
    return told
  }

  @Test func `a restart of the bus neither hides nor repeats an entry`() async throws {
    let bus = try FakeBus(
      .init(
        .hear(["hello"]),
        .hear([#""from":"start""#]),
        .say([Self.greeted, Says.subscribed(after: 0), Says.entry(1), Says.entry(2)]),
        .mumble(String(Says.entry(3).prefix(40)))
      ),
      .init(
        .hear(["hello"]),
        .hear([#""from":"\#(Says.epoch):2""#]),
        .say([
          Self.greeted, Says.subscribed(after: 2), Says.entry(3), Says.mark("caught-up", 3),
        ])
      ),
      .init(
        .hear(["hello"]),
        .hear([#""from":"\#(Says.epoch):3""#]),
        .say([Self.greeted, Says.subscribed(after: 3), Says.entry(4)]),
        .wait
      )
    )

    let told = try await take(7, of: client(bus).entries(from: .start))

    #expect(told == ["1", "2", "away", "3", "caught-up", "away", "4"])
    #expect(bus.complaint == nil)
  }

  @Test func `a second loop goes on where the first ended`() async throws {
    let lines = [Self.greeted, Says.subscribed(after: 0), Says.entry(1), Says.entry(2)]
    let bus = try FakeBus(
      .init(.hear(["hello"]), .hear([#""from":"start""#]), .say(lines), .wait),
      .init(
        .hear(["hello"]),
        .hear([#""from":"\#(Says.epoch):1""#]),
        .say([Self.greeted, Says.subscribed(after: 1), Says.entry(2)]),
        .wait
      )
    )
    let entries = client(bus).entries(from: .start)

    let first = try await take(1, of: entries)
    let cursor = entries.cursor
    let second = try await take(1, of: entries)

    #expect(first == ["1"])
    #expect(cursor?.description == "\(Says.epoch):1")
    #expect(second == ["2"])
  }

  @Test func `marks move the cursor where entries are filtered out`() async throws {
    let bus = try FakeBus(
      .init(
        .hear(["hello"]),
        .hear([#""from":"now""#]),
        .say([
          Self.greeted, Says.subscribed(after: 5), Says.mark("caught-up", 5),
          #"{"mark":"gap","from":1,"to":2,"reason":"corruption"}"#, Says.mark("checkpoint", 1005),
        ])
      ),
      .init(
        .hear(["hello"]),
        .hear([#""from":"\#(Says.epoch):1005""#]),
        .say([Self.greeted, Says.subscribed(after: 1_005), Says.entry(1_006)]),
        .wait
      )
    )

    let told = try await take(5, of: client(bus).entries())

    #expect(told == ["caught-up", "gap 1-2 corruption", "mark", "away", "1006"])
  }

  @Test func `the reply names the numbering of all that follows`() async throws {
    let bus = try FakeBus(
      .init(
        .hear(["hello"]),
        .hear([#""from":"start""#]),
        .say([Self.greeted, Says.subscribed(after: 0), Says.entry(1)])
      ),
      .init(
        .hear(["hello"]),
        .hear([#""from":"\#(Says.epoch):1""#]),
        .say([Self.greeted, Says.subscribed(after: 1, epoch: Says.laterEpoch), Says.entry(2)])
      ),
      .init(
        .hear(["hello"]),
        .hear([#""from":"\#(Says.laterEpoch):2""#]),
        .say([Self.greeted, Says.subscribed(after: 2, epoch: Says.laterEpoch), Says.entry(3)]),
        .wait
      )
    )

    let told = try await take(6, of: client(bus).entries(from: .start))

    #expect(told == ["1", "away", "new epoch", "2", "away", "3"])
    #expect(bus.complaint == nil)
  }

  @Test func `entries that the bus lost are withdrawn`() async throws {
    let error = #"{"code":"cursor.future","field":"from","msg":"beyond","last":1}"#
    let bus = try FakeBus(
      .init(
        .hear(["hello"]),
        .hear([#""from":"start""#]),
        .say([Self.greeted, Says.subscribed(after: 0), Says.entry(1), Says.entry(2)])
      ),
      .init(
        .hear(["hello"]),
        .hear([#""from":"\#(Says.epoch):2""#]),
        .say([Self.greeted, Says.refused(-1, error)]),
        .hear([#""from":"\#(Says.epoch):1""#]),
        .say([Says.subscribed(after: 1, epoch: Says.laterEpoch), Says.entry(2)]),
        .wait
      )
    )

    let told = try await take(6, of: client(bus).entries(from: .start))

    #expect(told == ["1", "2", "away", "withdrawn 2-2", "new epoch", "2"])
  }

  @Test func `a subscription that the bus refuses throws its words`() async throws {
    let error = #"{"code":"cursor.epoch","field":"from","msg":"unknown"}"#
    let bus = try FakeBus(
      .init(.hear(["hello"]), .hear(["subscribe"]), .say([Self.greeted, Says.refused(-1, error)]))
    )
    let refusal = BusRefusal(code: "cursor.epoch", field: "from", message: "unknown")

    await #expect(throws: ClientError.refused(refusal)) {
      _ = try await take(1, of: client(bus).entries())
    }
  }

  @Test func `a task that is cancelled ends its loop`() async throws {
    let bus = try FakeBus(
      .init(
        .hear(["hello"]),
        .hear(["subscribe"]),
        .say([Self.greeted, Says.subscribed(after: 0), Says.mark("caught-up", 0)]),
        .wait
      ),
      .init(.say(["{}"]))
    )
    let (seen, see) = AsyncStream.makeStream(of: Void.self)
    let client = client(bus)

    let task = Task {
      for try await _ in client.entries() { see.yield() }
      return true
    }
    for await _ in seen { break }
    task.cancel()

    #expect(try await task.value)
    // The first scene ends only when the reading thread has hung up.
    let next = try BusConnection(path: bus.path)
    #expect(throws: ClientError.self) { try next.next() }
  }

  @Test func `a slow task gets every entry in its order`() async throws {
    let count = 20_000
    let bus = try FakeBus(
      .init(
        .hear(["hello"]),
        .hear(["subscribe"]),
        .say([Self.greeted, Says.subscribed(after: 0)] + (1...count).map { Says.entry($0) }),
        .wait
      )
    )

    var last: Int64 = 0
    for try await case .entry(let entry) in client(bus).entries(from: .start) {
      #expect(entry.seq == last + 1)
      last = entry.seq
      if last % 1_000 == 0 { await Task.yield() }
      if last == count { break }
    }

    #expect(last == Int64(count))
  }
}
