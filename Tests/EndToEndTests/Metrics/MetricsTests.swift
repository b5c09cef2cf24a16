// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Foundation
import Testing

/// The metrics of a real daemon, as scrapers ask for them.
@Suite(.timeLimit(.minutes(hangs)))
struct MetricsTests {
  private static let request = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"

  /// The page in an answer.
  private func page(_ client: RawClient) throws -> MetricsReading {
    try client.send(bytes: Array(Self.request.utf8))
    let lines = try client.linesUntilEnd()
    let head = lines.prefix { $0 != "\r" }
    try #require(head.first == "HTTP/1.1 200 OK\r")
    return try MetricsReading(lines.dropFirst(head.count + 1).map { $0 + "\n" }.joined())
  }

  @Test func `an inherited socket has the figures, and knows no operations`() throws {
    let scratch = try ScratchDirectory()
    let daemon = try HandedDaemon(["publish", "metrics"], in: scratch)
    let app = try daemon.connect("publish")
    try app.publishAccepted(#"{"type":"announcement","text":"a"}"#)

    let reading = try page(daemon.connect("metrics"))
    #expect(reading["a11yd_events_published_total{type=announcement}"] == 1)
    #expect(reading["a11yd_connections"] == 1)

    let other = try daemon.connect("metrics")
    try other.send(#"{"id":1,"op":"stats"}"#)
    #expect(try other.linesUntilEnd().first == "HTTP/1.1 400 Bad Request\r")
    #expect(try app.last() > 0)
  }

  @Test func `an inherited socket for metrics alone leaves the bus its usual path`() throws {
    let scratch = try ScratchDirectory()
    let daemon = try HandedDaemon(["metrics"], in: scratch)

    #expect(try page(daemon.connect("metrics"))["a11yd_connections"] == 0)
    let bus = try RawClient(scratch("run") + "/a11yd/bus.sock")
    #expect(try bus.last() > 0)
  }

  @Test func `curl reads the socket`() throws {
    let scratch = try ScratchDirectory()
    let daemon = try HandedDaemon(["publish", "metrics"], in: scratch)

    let answer = try Command(
      "/usr/bin/curl",
      ["-sS", "--fail", "--unix-socket", daemon.path("metrics"), "http://localhost/metrics"]
    ).output()

    #expect(try MetricsReading(answer + "\n")["a11yd_connections"] == 0)
  }

  @Test(arguments: ["127.0.0.1", "[::1]"])
  func `a port of the loopback has the figures, also after a restart`(host: String) throws {
    let port = try EngineSocket.freePort()
    let daemon = try RunningDaemon(config: "[server]\nmetrics = \"\(host):\(port)\"\n")
    let ask = Command("/usr/bin/curl", ["-sS", "--fail", "http://\(host):\(port)/metrics"])
    let before = try MetricsReading(ask.output() + "\n")
    try daemon.connect().publishAccepted(#"{"type":"announcement","text":"a"}"#)

    try daemon.stop()
    try daemon.start()

    let after = try MetricsReading(ask.output() + "\n")
    #expect(after["a11yd_entries_total"] ?? 0 > 0)
    #expect(try #require(after["a11yd_log_last_seq"]) > #require(before["a11yd_log_last_seq"]))
    #expect(after["a11yd_events_published_total{type=announcement}"] == 0)
  }

  @Test func `a port that is taken is told with its place, and the bus serves`() throws {
    let port = try EngineSocket.freePort()
    let config = "[server]\nmetrics = \"127.0.0.1:\(port)\"\n"
    let first = try RunningDaemon(config: config)

    let second = try RunningDaemon(config: config)

    let words = try second.process.line(containing: "server.metrics")
    #expect(words.contains(":2:1: server.metrics: cannot listen at 127.0.0.1:\(port): "))
    #expect(words.contains("EADDRINUSE"))
    #expect(try second.connect().last() > 0)
    #expect(try first.stop() == .exited(0))
  }

  @Test func `an address that others could reach is refused with its place`() throws {
    let daemon = try RunningDaemon(config: "[server]\nmetrics = \"0.0.0.0:9464\"\n")

    let words = try daemon.process.line(containing: "server.metrics")
    #expect(words.contains(":2:1: server.metrics: expected an address of the loopback"))
    #expect(try daemon.connect().last() > 0)
  }

  @Test func `a thousand idle connections cost neither the bus nor a scraper`() throws {
    let scratch = try ScratchDirectory()
    let daemon = try HandedDaemon(["publish", "metrics"], in: scratch)
    let app = try daemon.connect("publish")
    let half = Array("GET /metrics HTTP/1.1\r\n".utf8)

    var idle: [RawClient] = []
    for number in 0..<1_000 {
      let client = try daemon.connect("metrics")
      // One that was let go already takes no more.
      _ = try? client.offer(half, patience: .seconds(1))
      idle.append(client)
      if number % 100 == 0 { try app.publishAccepted(#"{"type":"announcement","text":"a"}"#) }
    }

    let reading = try page(daemon.connect("metrics"))
    #expect(reading["a11yd_events_published_total{type=announcement}"] == 10)
    let descriptors = try FileManager.default.contentsOfDirectory(
      atPath: "/proc/\(daemon.process.number)/fd"
    )
    #expect(descriptors.count < 64)
    withExtendedLifetime(idle) {}
  }

  @Test func `half a request is answered when its time is up`() throws {
    let scratch = try ScratchDirectory()
    let daemon = try HandedDaemon(["publish", "metrics"], in: scratch)
    let client = try daemon.connect("metrics")
    try client.send(bytes: Array("GET /metrics HT".utf8))

    #expect(try client.linesUntilEnd().first == "HTTP/1.1 408 Request Timeout\r")
  }
}
