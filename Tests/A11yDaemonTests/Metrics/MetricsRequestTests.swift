// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

@testable import A11yDaemon

@Suite struct MetricsRequestTests {
  private func request(_ text: String) -> MetricsRequest { MetricsRequest(Array(text.utf8)) }

  @Test(arguments: [
    "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n", "GET /metrics HTTP/1.0\r\n\r\n",
    "GET /metrics HTTP/1.1\n\n", "GET /metrics?name[]=a HTTP/1.1\r\nAccept: */*\r\n\r\n",
    "GET /metrics HTTP/1.1\r\nA:\r\nB: c: d\r\n\r\nmore that nobody reads",
  ])
  func `the page is asked for`(text: String) {
    #expect(request(text) == .page(isHead: false))
  }

  @Test func `its head alone is asked for`() {
    #expect(request("HEAD /metrics HTTP/1.1\r\n\r\n") == .page(isHead: true))
  }

  @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS", "get", "PRI"])
  func `another method is not allowed`(method: String) {
    #expect(request("\(method) /metrics HTTP/1.1\r\n\r\n") == .refused(.methodNotAllowed))
  }

  @Test(arguments: [
    "/", "/metric", "/metrics/", "/metrics%3f", "/../metrics", "//metrics", "/Metrics",
  ])
  func `another path is not found`(path: String) {
    #expect(request("GET \(path) HTTP/1.1\r\n\r\n") == .refused(.notFound))
  }

  @Test(arguments: [
    "\r\n\r\n", "\n", "GET\r\n", "GET /metrics\r\n", "GET /metrics HTTP/2.0\r\n",
    "GET  /metrics HTTP/1.1\r\n", "GET /metrics HTTP/1.1 \r\n", " GET /metrics HTTP/1.1\r\n",
    "GET metrics HTTP/1.1\r\n", "GET http://a/metrics HTTP/1.1\r\n", "G\0T /metrics HTTP/1.1\r\n",
    "GET /metrics HTTP/1.1\r\nno colon\r\n\r\n", "GET /metrics HTTP/1.1\r\n folded: a\r\n\r\n",
    "GET /metrics HTTP/1.1\r\n: a\r\n\r\n", "GET /metrics HTTP/1.1\r\nA : b\r\n",
    #"{"id":1,"op":"stats"}"# + "\n",
  ])
  func `a line that is no HTTP is refused as soon as it has come`(text: String) {
    #expect(request(text) == .refused(.badRequest))
  }

  @Test func `a request has an answer with its last byte, and not before`() {
    let text = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"

    for count in 0..<text.utf8.count {
      #expect(MetricsRequest(Array(text.utf8.prefix(count))) == .incomplete, "\(count)")
    }
    #expect(request(text) == .page(isHead: false))
  }

  @Test func `a head may have 4096 bytes and no more`() {
    let start = "GET /metrics HTTP/1.1\r\nA: "
    let fits = start + String(repeating: "a", count: 4_096 - start.utf8.count - 4) + "\r\n\r\n"
    let filled = start + String(repeating: "a", count: 4_096 - start.utf8.count)

    #expect(fits.utf8.count == 4_096)
    #expect(request(fits) == .page(isHead: false))
    #expect(request(String(filled.dropLast())) == .incomplete)
    #expect(request(filled) == .refused(.headTooLarge))
    #expect(request(String(repeating: "a", count: 4_096)) == .refused(.headTooLarge))
  }

  @Test func `any bytes have an answer, which no later byte changes`() {
    var dice = Dice()
    let pieces = [
      "GET", "HEAD", " ", "/metrics", "HTTP/1.1", "\r", "\n", "\r\n", ":", "A", "\0", "?", "\u{ff}",
    ]
    for _ in 0..<10_000 {
      let text = (0..<dice.roll(0...12)).map { _ in dice.pick(pieces) }.joined()
      let answer = request(text)
      if answer != .incomplete { #expect(request(text + "GET x\r\n\r\n") == answer, "\(text)") }
    }
  }
}
