// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

@testable import A11yClient
import A11yTestKit
import Testing

@Suite(.timeLimit(.minutes(hangs)))
struct ConnectionTests {
  @Test func `hello tells who we are and learns about the bus`() throws {
    let bus = try FakeBus(
      .init(
        .hear([#""op":"hello""#, #""app":"org.test""#, #""want":[1]"#]),
        .say([
          #"{"id":1,"ok":{"protocol":1,"server":"a11yd 0.1","epoch":"\#(Says.epoch)","first":1,"#
            + #""last":42,"conn":7,"uid":1000,"roles":["bus"],"limits":{"line_bytes":65536},"#
            + #""durability":{"level":"written","loss_window_ms":1000,"degraded":false},"#
            + #""features":["state"]}}"#
        ]),
        .wait
      )
    )

    let info = try BusConnection(path: bus.path).hello(app: "org.test")

    #expect(info.last == 42)
    #expect(info.cursor.description == "\(Says.epoch):42")
    #expect(info.limits["line_bytes"] == 65_536)
    #expect(info.durability.lossWindow == .seconds(1))
    #expect(info.features == ["state"])
  }

  @Test func `a publication returns its receipt`() throws {
    let bus = try FakeBus(
      .init(
        .hear([
          #"{"id":1,"op":"publish","ack":"synced","dedupe":"k1","event":{"type":"announcement","#,
          #""text":"Item was added","priority":"high""#, #""cause":"user"}}"#,
        ]),
        .say([
          #"{"id":1,"ok":{"seq":9,"durability":"synced","duplicate":true,"warnings":"#
            + #"[{"code":"text.long","field":"event.text","msg":"too long"}],"#
            + #""focus":{"result":"denied","reason":"moved","seq":3}}}"#
        ]),
        .wait
      )
    )

    let receipt = try BusConnection(path: bus.path).publish(
      .announcement("Item was added", priority: .high).cause(.user),
      ack: .synced,
      dedupe: "k1"
    )

    #expect(receipt.seq == 9)
    #expect(receipt.isDuplicate)
    #expect(receipt.warnings.map(\.code) == ["text.long"])
    #expect(receipt.focus?.reason == "moved")
  }

  @Test func `a refusal has the code, the field and the words of the bus`() throws {
    let error = #"{"code":"quota.exceeded","field":"event","msg":"too many","retry_ms":250}"#
    let bus = try FakeBus(.init(.hear(["publish"]), .say([Says.refused(1, error)]), .wait))

    #expect(
      throws: ClientError.refused(
        BusRefusal(
          code: "quota.exceeded",
          field: "event",
          message: "too many",
          retryAfter: .milliseconds(250)
        )
      )
    ) { try BusConnection(path: bus.path).publish(.pause) }
  }

  @Test func `a line that is too long is refused before it is sent`() throws {
    let bus = try FakeBus(.init(.hear(["ping"]), .say([#"{"id":2,"ok":{"last":1}}"#]), .wait))
    let connection = try BusConnection(path: bus.path)

    let text = String(repeating: "x", count: 70_000)
    #expect(throws: ClientError.self) { try connection.publish(.announcement(text)) }

    #expect(try connection.ping() == 1)
  }

  @Test func `a batch comes back in its order, refusals in their places`() throws {
    let bus = try FakeBus(
      .init(
        .hear([#""id":1,"#]),
        .hear([#""id":2,"#]),
        .hear([#""id":3,"#]),
        .say([
          Says.accepted(1, seq: 5),
          Says.refused(
            2,
            #"{"code":"field.missing","field":"event.text","msg":"expected a text"}"#
          ),
          Says.accepted(3, seq: 6),
        ]),
        .wait
      )
    )

    let results = try BusConnection(path: bus.path).publish(
      all: [.announcement("a"), Event(type: "announcement"), .announcement("b")]
    )

    #expect(results.map { try? $0.get().seq } == [5, nil, 6])
  }

  @Test func `no answer in time is told, and the late one meant for nobody else`() throws {
    let bus = try FakeBus(
      .init(
        .hear(["ping"]),
        .hear(["ping"]),
        .say([#"{"id":1,"ok":{"last":1}}"#, #"{"id":2,"ok":{"last":2}}"#]),
        .wait
      )
    )
    let connection = try BusConnection(path: bus.path)

    #expect(throws: ClientError.timedOut(after: .milliseconds(5))) {
      try connection.ping(timeout: .milliseconds(5))
    }

    #expect(try connection.ping() == 2)
  }

  @Test func `a farewell says why the connection ends`() throws {
    let bus = try FakeBus(
      .init(.hear(["ping"]), .say([#"{"bye":{"code":"shutting-down","msg":"until later"}}"#]))
    )

    #expect(throws: ClientError.dismissed(code: "shutting-down", message: "until later")) {
      try BusConnection(path: bus.path).ping()
    }
  }

  @Test func `a connection that breaks is told`() throws {
    let bus = try FakeBus(.init(.hear(["ping"])))

    #expect(throws: ClientError.disconnected(reason: "it was closed")) {
      try BusConnection(path: bus.path).ping()
    }
  }

  @Test func `where nobody listens the path is told`() {
    #expect(throws: ClientError.unreachable(path: "/nowhere/bus.sock", reason: "no such file")) {
      try BusConnection(path: "/nowhere/bus.sock")
    }
  }

  @Test func `what is posted without waiting complains later`() throws {
    let bus = try FakeBus(
      .init(
        .hear([#"{"op":"publish""#]),
        .hear(["ping"]),
        .say([
          #"{"warn":{"fields":["event.foo"]},"id":null}"#,
          Says.refused(nil, #"{"code":"role.denied","msg":"no"}"#), #"{"id":1,"ok":{"last":1}}"#,
        ]),
        .wait
      )
    )
    let connection = try BusConnection(path: bus.path)

    try connection.post(.pause.with("foo", 1))
    try connection.ping()

    #expect(
      connection.takeComplaints() == [
        .unknownFields(["event.foo"]),
        .refused(BusRefusal(code: "role.denied", message: "no")),
      ]
    )
    #expect(connection.takeComplaints().isEmpty)
  }

  @Test func `entries that come before a reply are not lost`() throws {
    let bus = try FakeBus(
      .init(
        .hear([#""op":"subscribe","from":"start","filter":{"types":["announcement"]}"#]),
        .say([Says.subscribed(after: 0, id: 1)]),
        .hear(["ping"]),
        .say([
          Says.entry(1, "One"), Says.mark("caught-up", 1), #"{"id":2,"ok":{"last":1}}"#,
          Says.entry(2, "Two"),
        ]),
        .wait
      )
    )
    let connection = try BusConnection(path: bus.path)

    try connection.subscribe(.init(from: .start, filter: .init(types: ["announcement"])))
    try connection.ping()
    let items = try (1...3).map { _ in try connection.next() }

    #expect(items.map { $0?.cursor?.seq } == [1, 1, 2])
    #expect(items.map { $0?.cursor?.epoch } == [Says.epoch, Says.epoch, Says.epoch])
    guard case .entry(let entry) = items[2] else {
      Issue.record("the third is an entry")
      return
    }
    #expect(entry.text == "Two")
    #expect(entry.line == Says.entry(2, "Two"))
    #expect(try connection.next(timeout: .zero) == nil)
  }
}
