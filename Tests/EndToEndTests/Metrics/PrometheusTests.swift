// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// A real Prometheus scrapes a real daemon.
@Suite(
  .timeLimit(.minutes(hangs)),
  .enabled(
    if: ProcessInfo.processInfo.environment["A11Y_SERVERS"] != nil,
    "make test-servers runs the tests with Prometheus"
  )
)
struct PrometheusTests {
  /// A server with a store of its own, which scrapes one port each second.
  private final class Server {
    private let directory: ScratchDirectory
    private let port: Int
    private let process: DaemonProcess

    init(scraping target: Int) throws {
      directory = try ScratchDirectory()
      port = try EngineSocket.freePort()
      let config = """
        global:
          scrape_interval: 1s
        scrape_configs:
          - job_name: a11yd
            static_configs:
              - targets: ["127.0.0.1:\(target)"]

        """
      try Data(config.utf8).write(to: URL(filePath: directory("prometheus.yml")))
      process = try DaemonProcess(
        [
          "--config.file=" + directory("prometheus.yml"),
          "--storage.tsdb.path=" + directory("data"),
          "--web.listen-address=127.0.0.1:\(port)",
        ],
        of: "/usr/bin/prometheus"
      )
      _ = try process.line(containing: "Server is ready to receive web requests")
    }

    /// The samples that a query has, each as its labels and its value.
    func query(_ words: String) throws -> [JSON] {
      let answer = try Command(
        "/usr/bin/curl",
        [
          "-sS", "-G", "http://127.0.0.1:\(port)/api/v1/query", "--data-urlencode",
          "query=\(words)",
        ]
      ).output()
      let result = try JSON(answer)["data"]["result"]
      return (0..<(result.list?.count ?? 0)).map { result[$0] }
    }

    /// Waits until a query has one sample of this value.
    func waitFor(_ words: String, toBe value: String) throws {
      let deadline = Deadline.usual
      var found: [JSON] = []
      while !deadline.isOver {
        found = try query(words)
        if found.count == 1, found[0]["value"][1].string == value { return }
      }
      throw Missing("\(words) to be \(value); it is \(found); \(process.said.suffix(2_000))")
    }
  }

  @Test func `Prometheus finds the daemon up, and its counters`() throws {
    let port = try EngineSocket.freePort()
    let daemon = try RunningDaemon(config: "[server]\nmetrics = \"127.0.0.1:\(port)\"\n")
    let app = try daemon.connect()
    for _ in 1...3 { try app.publishAccepted(#"{"type":"announcement","text":"a"}"#) }

    let server = try Server(scraping: port)

    try server.waitFor("up", toBe: "1")
    try server.waitFor(#"a11yd_events_published_total{type="announcement"}"#, toBe: "3")
    try app.publishAccepted(#"{"type":"announcement","text":"b"}"#)
    try server.waitFor(#"a11yd_events_published_total{type="announcement"}"#, toBe: "4")
    try server.waitFor("a11yd_log_degraded", toBe: "0")
    try server.waitFor(#"a11yd_heard_wait_seconds_bucket{le="+Inf"}"#, toBe: "0")

    daemon.kill()
    try server.waitFor("up", toBe: "0")
  }
}
