// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

@testable import A11yClient
import A11yTestKit
import Testing

@Suite(.timeLimit(.minutes(hangs)))
struct ClientTests {
  private func client(_ bus: FakeBus) -> Client {
    Client(app: nil, role: nil, path: bus.path, backoff: Backoff(first: .zero, longest: .zero))
  }

  @Test func `tasks that publish at once each get their own receipt`() async throws {
    let bus = try FakeBus(
      .init(
        .hear(["hello"]),
        .say([Says.hello]),
        .hear([#""id":1,"#]),
        .hear([#""id":2,"#]),
        .say([Says.accepted(1, seq: 11), Says.accepted(2, seq: 12)]),
        .wait
      )
    )
    let client = client(bus)

    async let first = client.publish(.announcement("One"))
    async let second = client.publish(.announcement("Two"))

    #expect(try await Set([first.seq, second.seq]) == [11, 12])
  }

  @Test func `a refusal reaches the task that asked`() async throws {
    let error = #"{"code":"field.invalid","field":"event.priority","msg":"no"}"#
    let bus = try FakeBus(
      .init(
        .hear(["hello"]),
        .say([Says.hello]),
        .hear(["publish"]),
        .say([Says.refused(1, error)]),
        .wait
      )
    )
    let refusal = BusRefusal(code: "field.invalid", field: "event.priority", message: "no")

    await #expect(throws: ClientError.refused(refusal)) {
      try await client(bus).publish(.pause)
    }
  }

  @Test func `an event with a key against duplicates is sent again`() async throws {
    let bus = try FakeBus(
      .init(.hear(["hello"]), .say([Says.hello]), .hear([#""dedupe":"k""#])),
      .init(
        .hear(["hello"]),
        .say([Says.hello]),
        .hear([#""dedupe":"k""#]),
        .say([Says.accepted(2, seq: 3)]),
        .wait
      )
    )

    let receipt = try await client(bus).publish(.pause, dedupe: "k")

    #expect(receipt.seq == 3)
  }

  @Test func `an event without such a key is never sent twice`() async throws {
    let bus = try FakeBus(
      .init(.hear(["hello"]), .say([Says.hello]), .hear(["pause"])),
      .init(
        .hear(["hello"]),
        .say([Says.hello]),
        .hear(["resume"]),
        .say([Says.accepted(2, seq: 3)]),
        .wait
      )
    )
    let client = client(bus)

    await #expect(throws: ClientError.disconnected(reason: "it was closed")) {
      try await client.publish(.pause)
    }

    #expect(try await client.publish(.resume).seq == 3)
    #expect(bus.complaint == nil)
  }

  @Test func `a posted event without such a key is not sent twice either, and that is told`()
    async throws
  {
    let bus = try FakeBus(
      .init(.hear(["hello"]), .say([Says.hello]), .hear(["pause"])),
      .init(
        .hear(["hello"]),
        .say([Says.hello]),
        .hear(["resume"]),
        // It may have been on its way on the first connection, too.
        .say([Says.accepted(2, seq: 3), Says.accepted(3, seq: 3)]),
        .wait
      )
    )
    let client = client(bus)

    client.post(.pause)
    #expect(try await client.publish(.resume, dedupe: "k").seq == 3)

    #expect(bus.complaint == nil)
    #expect(client.takeComplaints() == [.lost(.disconnected(reason: "it was closed"))])
  }

  @Test func `while the bus is away a publication waits as long as it may`() async {
    let client = Client(app: nil, role: nil, path: "/nowhere/bus.sock", backoff: Backoff())

    await #expect(
      throws: ClientError.unreachable(path: "/nowhere/bus.sock", reason: "no such file")
    ) { try await client.publish(.pause, timeout: .milliseconds(20)) }
  }
}
