// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import a11yctl

/// The requests of browsers, as bytes.
@Suite struct PageRequestTests {
  private let path = "/0123456789abcdef/"

  private func request(_ text: String) -> PageRequest {
    PageRequest(Array(text.utf8), path: path)
  }

  @Test func `a request is whole at its empty line`() {
    let whole = "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    for length in 0..<whole.utf8.count {
      #expect(PageRequest(Array(whole.utf8.prefix(length)), path: path) == .incomplete)
    }
    #expect(request(whole) == .page(known: nil))
  }

  @Test func `the version that a browser has may be named in any case of letters`() {
    let known = "GET \(path) HTTP/1.0\r\nif-None-match:  \"12\"\r\nX: y\r\n\r\n"
    #expect(request(known) == .page(known: "\"12\""))
  }

  @Test(arguments: [
    "GET / HTTP/1.1", "GET /0123456789abcdee/ HTTP/1.1", "GET /0123456789abcdef HTTP/1.1",
    "GET /0123456789abcdef/?x HTTP/1.1", "HEAD /0123456789abcdef/ HTTP/1.1",
    "GET /0123456789abcdef/", "GET /0123456789abcdef/ SPDY", "", " ", "\u{0}",
  ])
  func `any other request is refused`(line: String) {
    #expect(request("\(line)\r\n\r\n") == .refused)
  }

  @Test func `a request that is longer than its bound is refused, whole or not`() {
    let long = "GET \(path) HTTP/1.1\r\nX: " + String(repeating: "x", count: PageRequest.most)
    #expect(request(long) == .refused)
    #expect(request(long + "\r\n\r\n") == .refused)
    let short = Array(long.utf8.prefix(PageRequest.most - 1))
    #expect(PageRequest(short, path: path) == .incomplete)
  }
}
