// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Testing

@testable import A11yHttp

@Suite struct HttpHeadTests {
  private func head(_ text: String) -> HttpHead { HttpHead(Array(text.utf8)) }

  /// The request of a whole head, in words.
  private func request(_ text: String) -> String? {
    guard case .whole(let request) = head(text) else { return nil }
    return "\(request.method) \(request.target)"
  }

  @Test(arguments: [
    "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n", "GET /metrics HTTP/1.0\r\n\r\n",
    "GET /metrics HTTP/1.1\n\n", "GET /metrics HTTP/1.1\r\nA:\r\nB: c: d\r\n\r\nmore",
  ])
  func `a head is whole at its empty line`(text: String) {
    #expect(request(text) == "GET /metrics")
  }

  @Test func `the path of a target ends before its parameters`() throws {
    let head = head("HEAD /metrics?name[]=a HTTP/1.1\r\nAccept: */*\r\n\r\n")
    guard case .whole(let request) = head else { throw Missing("a request") }
    #expect(request.method == "HEAD")
    #expect(request.path == "/metrics")
    #expect(request.target == "/metrics?name[]=a")
  }

  @Test func `a field is found by its name in any case of letters`() throws {
    let head = head("GET / HTTP/1.1\r\nif-None-match:  \"12\"\r\nX: y\r\n\r\n")
    guard case .whole(let request) = head else { throw Missing("a request") }
    #expect(request.field("if-none-match") == "\"12\"")
    #expect(request.field("x") == "y")
    #expect(request.field("y") == nil)
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
    #expect(head(text) == .malformed)
  }

  @Test func `a head is whole with its last byte, and not before`() {
    let text = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"

    for count in 0..<text.utf8.count {
      #expect(HttpHead(Array(text.utf8.prefix(count))) == .incomplete, "\(count)")
    }
    #expect(request(text) == "GET /metrics")
  }

  @Test func `a head may have 8192 bytes and no more`() {
    let start = "GET /metrics HTTP/1.1\r\nA: "
    let fits = start + String(repeating: "a", count: 8_192 - start.utf8.count - 4) + "\r\n\r\n"
    let filled = start + String(repeating: "a", count: 8_192 - start.utf8.count)

    #expect(fits.utf8.count == 8_192)
    #expect(request(fits) == "GET /metrics")
    #expect(head(String(filled.dropLast())) == .incomplete)
    #expect(head(filled) == .tooLarge)
    #expect(head(String(repeating: "a", count: 8_192)) == .tooLarge)
  }

  @Test func `any bytes have an answer, which no later byte changes`() {
    var dice = Dice()
    let pieces = [
      "GET", "HEAD", " ", "/metrics", "HTTP/1.1", "\r", "\n", "\r\n", ":", "A", "\0", "?", "\u{ff}",
    ]
    for _ in 0..<10_000 {
      let text = (0..<dice.roll(0...12)).map { _ in dice.pick(pieces) }.joined()
      let answer = head(text)
      if answer != .incomplete { #expect(head(text + "GET x\r\n\r\n") == answer, "\(text)") }
    }
  }
}
