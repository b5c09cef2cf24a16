// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yHttp
import Testing

@testable import a11yctl

/// The answers to browsers, as bytes.
@Suite struct PageAnswerTests {
  private let path = "/0123456789abcdef/"
  private let page = PageServer.Page(version: "\"12\"", nonce: "n") { Array("page".utf8) }

  private func answer(_ text: String) -> String {
    let head = HttpHead(Array(text.utf8))
    let bytes = PageAnswer.bytes(to: head, host: "127.0.0.1:4711", path: path, page)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `those who know the path have the page`() {
    let answer = answer("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:4711\r\n\r\n")
    #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(answer.hasSuffix("\r\n\r\npage"))
    #expect(answer.contains("script-src 'nonce-n'"))
  }

  @Test func `a browser that has the page is told so`() {
    let head = "GET \(path) HTTP/1.0\r\nHost: 127.0.0.1:4711\r\n"
    let same = answer("\(head)if-None-match:  \"12\"\r\nX: y\r\n\r\n")
    let other = answer("\(head)if-None-match: \"11\"\r\n\r\n")
    #expect(same.hasPrefix("HTTP/1.1 304 Not Modified\r\n"))
    #expect(other.hasPrefix("HTTP/1.1 200 OK\r\n"))
  }

  @Test(arguments: [
    "GET / HTTP/1.1", "GET /0123456789abcdee/ HTTP/1.1", "GET /0123456789abcdef HTTP/1.1",
    "GET /0123456789abcdef/?x HTTP/1.1", "HEAD /0123456789abcdef/ HTTP/1.1",
    "GET /0123456789abcdef/", "GET /0123456789abcdef/ SPDY", "", " ", "\u{0}",
  ])
  func `any other request is refused without a word`(line: String) {
    let answer = answer("\(line)\r\nHost: 127.0.0.1:4711\r\n\r\n")
    #expect(answer.hasPrefix("HTTP/1.1 403 Forbidden\r\n"))
    #expect(answer.hasSuffix("\r\n\r\n"))
  }

  @Test(arguments: ["Host: evil.example:4711", "Host: 127.0.0.1", "Host:", "X: y"])
  func `a browser that another name has led here gets nothing`(field: String) {
    let answer = answer("GET \(path) HTTP/1.1\r\n\(field)\r\n\r\n")
    #expect(answer.hasPrefix("HTTP/1.1 403 Forbidden\r\n"))
  }
}
