// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yHttp
import A11yPosix
import A11yTestKit
import Testing

@testable import A11yDaemon

/// The metrics sockets with real connections, at times that the test names.
@Suite(.timeLimit(.minutes(hangs)))
struct MetricsReceptionTests {
  private let directory: ScratchDirectory
  private let path: String
  private let reception: HttpReception
  private let pages = Pages()

  /// Counts how often the page was made.
  private final class Pages {
    var made = 0
    var text = "a11yd_a 1\n"
  }

  init() throws {
    directory = try ScratchDirectory()
    path = directory("metrics.sock")
    let door = try UnixListener(path: path, mode: 0o600)
    reception = try HttpReception([door]) { [pages] head in
      MetricsAnswer.bytes(to: head) {
        pages.made += 1
        return pages.text
      }
    }
  }

  private func connect(_ words: String = "") throws -> RawClient {
    let client = try RawClient(path)
    try client.send(bytes: Array(words.utf8))
    return client
  }

  private static let request = "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n"

  @Test func `a request is answered, and the connection ends`() throws {
    let client = try connect(Self.request)

    try reception.attend(at: 0)

    #expect(
      try client.linesUntilEnd() == [
        "HTTP/1.1 200 OK\r",
        "Content-Type: application/openmetrics-text; version=1.0.0; charset=utf-8\r",
        "Content-Length: 10\r", "Connection: close\r", "\r", "a11yd_a 1",
      ]
    )
  }

  @Test func `a head has the same fields and no page`() throws {
    let client = try connect("HEAD /metrics HTTP/1.1\r\n\r\n")

    try reception.attend(at: 0)

    let lines = try client.linesUntilEnd()
    #expect(lines.contains("Content-Length: 10\r"))
    #expect(lines.last == "\r")
  }

  @Test(arguments: [
    "/", "/metric", "/metrics/", "/metrics%3f", "/../metrics", "//metrics", "/Metrics",
  ])
  func `another path is not found`(path: String) throws {
    let client = try connect("GET \(path) HTTP/1.1\r\n\r\n")

    try reception.attend(at: 0)

    #expect(try client.line() == "HTTP/1.1 404 Not Found\r")
  }

  @Test(arguments: ["PUT", "DELETE", "OPTIONS", "get", "PRI"])
  func `another method is not allowed`(method: String) throws {
    let client = try connect("\(method) /metrics?name[]=a HTTP/1.1\r\n\r\n")

    try reception.attend(at: 0)

    #expect(try client.line() == "HTTP/1.1 405 Method Not Allowed\r")
  }

  @Test(arguments: [
    ("POST /metrics HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", "405 Method Not Allowed"),
    ("GET / HTTP/1.1\r\n\r\n", "404 Not Found"), ("nonsense\n", "400 Bad Request"),
    (String(repeating: "a", count: 9_000), "431 Request Header Fields Too Large"),
  ])
  func `a wrong request is told so in full, whatever comes behind it`(
    words: String,
    status: String
  ) throws {
    let client = try connect(words)

    try reception.attend(at: 0)

    let lines = try client.linesUntilEnd()
    #expect(lines.first == "HTTP/1.1 \(status)\r")
    #expect(lines.last?.hasPrefix("The metrics are at /metrics: ") == true)
    #expect(lines.contains("Allow: GET, HEAD\r") == status.hasPrefix("405"))
    #expect(pages.made == 0)
  }

  @Test func `a request may come byte by byte`() throws {
    let client = try connect()
    for byte in Array(Self.request.utf8).dropLast() {
      try client.send(bytes: [byte])
      try reception.attend(at: 0)
      #expect(try !client.hasUnread())
    }

    try client.send(bytes: [10])
    try reception.attend(at: 0)

    #expect(try client.line() == "HTTP/1.1 200 OK\r")
  }

  @Test func `half a request has five seconds`() throws {
    let client = try connect("GET /metr")
    try reception.attend(at: 100)
    #expect(reception.due == 5_000_100)

    reception.expire(at: 5_000_099)
    #expect(try !client.hasUnread())
    reception.expire(at: 5_000_100)

    #expect(try client.linesUntilEnd().first == "HTTP/1.1 408 Request Timeout\r")
    #expect(reception.due == nil)
  }

  @Test func `half a request of a client that says no more is refused at once`() throws {
    let client = try connect("GET /metr")
    try client.endSending()

    try reception.attend(at: 0)
    try reception.attend(at: 0)

    #expect(try client.linesUntilEnd().first == "HTTP/1.1 400 Bad Request\r")
  }

  @Test func `a client that says nothing is let go after five seconds`() throws {
    let client = try connect()
    try reception.attend(at: 0)

    reception.expire(at: 5_000_000)

    #expect(try client.linesUntilEnd() == [])
  }

  @Test func `a slow reader gets the page at its own pace, within its time`() throws {
    pages.text = String(repeating: "a11yd_a 1\n", count: 500_000)
    let slow = try UnixStream.connect(path: path)
    guard case .sent = slow.send(Array(Self.request.utf8).span) else { throw Missing("room") }
    let quick = try connect("HEAD /metrics HTTP/1.1\r\n\r\n")
    try reception.attend(at: 0)
    #expect(try quick.line() == "HTTP/1.1 200 OK\r")

    var received = 0
    var turns = 0
    var piece = [UInt8](repeating: 0, count: 65_536)
    reading: while true {
      switch piece.withUnsafeMutableBytes({ slow.receive(into: $0) }) {
      case .bytes(let count): received += count
      case .wouldBlock:
        turns += 1
        try reception.attend(at: 1)
      case .ended, .failed: break reading
      }
    }

    #expect(received > pages.text.utf8.count)
    #expect(turns > 10, "it was no slow reader")
  }

  @Test func `a reader that takes nothing is cut off when its time is up`() throws {
    pages.text = String(repeating: "a11yd_a 1\n", count: 500_000)
    let slow = try connect(Self.request)
    try reception.attend(at: 0)

    reception.expire(at: 5_000_000)

    #expect(reception.due == nil)
    #expect(try slow.linesUntilEnd().count < 500_000)
  }

  @Test func `of a thousand idle connections sixteen are kept, and none keeps a scraper out`()
    throws
  {
    var idle: [RawClient] = []
    for _ in 0..<1_000 {
      idle.append(try connect())
      try reception.attend(at: 0)
    }
    let scraper = try connect(Self.request)

    try reception.attend(at: 1)

    #expect(try scraper.line() == "HTTP/1.1 200 OK\r")
    let open = try idle.suffix(HttpReception.mostGuests + 1).map { try !$0.hasUnread() }
    // The end of a connection can be read, too.
    #expect(open == [false, false] + [Bool](repeating: true, count: 15))
  }

  @Test func `a client that goes in the middle leaves its place`() throws {
    for _ in 0..<100 {
      let client = try connect("GET ")
      try reception.attend(at: 0)
      client.close()
      try reception.attend(at: 0)
      try reception.attend(at: 0)
      #expect(reception.due == nil)
    }
  }
}
