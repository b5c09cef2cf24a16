// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// The report that follows the bus, asked for as a browser does.
@Suite(.timeLimit(.minutes(hangs)))
struct LiveReportTests {
  let daemon: RunningDaemon
  let app: RawClient
  let program: DaemonProcess
  let port: Int
  let path: String

  init() throws {
    daemon = try RunningDaemon()
    app = try daemon.connect()
    try app.hello("org.example.Mail")
    program = try DaemonProcess(
      ["report", "--live", "--socket", daemon.socket],
      of: LogFiles.tool,
      environment: RunningDaemon.home(in: daemon.directory)
    )
    let line = try program.line(beginning: "The report is at ")
    let form =
      /The report is at http:\/\/127\.0\.0\.1:([0-9]+)(\/[0-9a-f]{32}\/) until Ctrl-C ends it\./
    let match = try #require(line.wholeMatch(of: form), "\(line)")
    port = try #require(Int(match.1))
    path = String(match.2)
  }

  /// The whole answer to some bytes.
  private func answer(to request: String) throws -> String {
    let socket = try EngineSocket(port: port)
    try socket.send(request)
    return try socket.untilEnd()
  }

  private func page(_ more: String = "") throws -> String {
    try answer(to: "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(more)\r\n")
  }

  private func publish(_ text: String) throws {
    _ = try app.publishAccepted(#"{"type":"announcement","text":"\#(text)"}"#)
  }

  /// The page as soon as it has these words.
  private func page(with words: String) throws -> String {
    let deadline = Deadline.usual
    var text = ""
    while !deadline.isOver {
      text = try page()
      if text.contains(words) { return text }
    }
    throw Missing("“\(words)” in the page, which says: \(text)")
  }

  @Test func `the page goes on with the bus`() throws {
    let before = try page()
    try publish("One")
    let first = try page(with: "1 app published 1 event to be heard")
    try publish("Two")
    let second = try page(with: "1 app published 2 events to be heard")

    #expect(before.contains("Nothing that is meant to be heard was published."))
    #expect(first.matches(of: /<h1/).count == 1)
    #expect(second.contains("<a href=\"\">Load it again</a>"), "it can be read without its script")
    #expect(second.matches(of: /https?:\/\/|src=|url\(|http-equiv/).isEmpty)
  }

  @Test func `a browser keeps nothing, tells nobody, and runs nothing else`() throws {
    let head = try #require(try page().components(separatedBy: "\r\n\r\n").first)
    let lines = head.components(separatedBy: "\r\n")

    #expect(lines.first == "HTTP/1.1 200 OK")
    for line in [
      "Cache-Control: no-store", "Referrer-Policy: no-referrer", "Connection: close",
      "X-Content-Type-Options: nosniff", "Content-Type: text/html; charset=utf-8",
    ] { #expect(lines.contains(line)) }
    let policy = try #require(lines.first { $0.hasPrefix("Content-Security-Policy: ") })
    #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
    #expect(!policy.contains("unsafe"))
  }

  @Test func `a version that the browser has is not sent again`() throws {
    let version = try #require(try page().firstMatch(of: /ETag: (\S+)/)?.1)
    let same = try page("If-None-Match: \(version)\r\n")
    try publish("New")
    let newer = try page(with: "1 app published 1 event to be heard")

    #expect(same.hasPrefix("HTTP/1.1 304 Not Modified\r\n") && same.hasSuffix("\r\n\r\n"))
    #expect(newer.firstMatch(of: /ETag: (\S+)/)?.1 != version)
  }

  @Test func `anything but the page by its whole address is refused without a word`() throws {
    let zeros = "/" + String(repeating: "0", count: 32) + "/"
    let end = " HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n"
    for request in [
      "GET /" + end, "GET \(zeros)" + end, "GET \(path.dropLast())" + end,
      "GET \(path)x" + end, "POST \(path)" + end, "nonsense\r\n\r\n",
      "GET \(path) HTTP/1.1\r\nX: " + String(repeating: "x", count: 9_000) + "\r\n\r\n",
    ] {
      let answer = try answer(to: request)
      #expect(answer.hasPrefix("HTTP/1.1 403 Forbidden\r\n"), "\(answer)")
      #expect(answer.contains("\r\nContent-Length: 0\r\n"))
      #expect(answer.hasSuffix("\r\n\r\n"))
      #expect(!answer.contains("Content-Security"))
    }
  }

  @Test func `nobody but this machine can reach it`() throws {
    let tables = try ["tcp", "tcp6"].map {
      try String(contentsOfFile: "/proc/net/\($0)", encoding: .utf8)
    }
    let own = String(format: ":%04X", port)
    // A socket that listens is in state 0A.
    var places: [String] = []
    for line in tables.joined().split(separator: "\n") {
      let columns = line.split(separator: " ").map(String.init)
      guard columns.count > 3, columns[1].hasSuffix(own), columns[3] == "0A" else { continue }
      places.append(columns[1])
    }
    #expect(places == ["0100007F\(own)"])
  }

  @Test func `connections that say nothing keep nobody away`() throws {
    let silent = try (0..<20).map { _ in try EngineSocket(port: port) }
    #expect(try page().hasPrefix("HTTP/1.1 200 OK"))
    // The first of them was closed for others.
    #expect(try silent[0].untilEnd().isEmpty)
  }

  @Test func `a request may come in pieces`() throws {
    let socket = try EngineSocket(port: port)
    for piece in ["GET \(path) HT", "TP/1.1\r\nHost: 127.0.0.1:\(port)\r", "\n\r", "\n"] {
      try socket.send(piece)
    }
    #expect(try socket.untilEnd().hasPrefix("HTTP/1.1 200 OK"))
  }

  @Test func `while the bus is away the page says so, and then goes on`() throws {
    try publish("Before")
    _ = try page(with: "published 1 event")
    try daemon.stop()
    _ = try program.line(containing: "The bus went away; waiting for it.")
    let away = try page()
    try daemon.start()
    _ = try program.line(containing: "The bus is back.")
    let back = try daemon.connect()
    try back.hello("org.example.Mail")
    _ = try back.publishAccepted(#"{"type":"announcement","text":"After"}"#)

    #expect(away.contains("The bus is away; this is what was known before."))
    #expect(away.contains("published 1 event"))
    #expect(!(try page(with: "published 2 events").contains("The bus is away")))
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal ends it, and the port is free`(signal: Int32) throws {
    program.send(signal)
    #expect(try program.end() == .exited(0))
    #expect(throws: Missing.self) { try EngineSocket(port: port) }
  }

  @Test func `it serves the bus, and takes no file and no other log`() throws {
    for words in [["-o", "x.html"], ["--until", "now"], ["--log", "x"], ["--force"]] {
      let result = try Command(LogFiles.tool, ["report", "--live"] + words).run()
      #expect(result.status == 64)
      #expect(result.output.contains("does not go with --live"), "\(result.output)")
    }
  }
}
