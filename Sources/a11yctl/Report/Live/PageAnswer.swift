// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yHttp

/// The answer to a browser: the page to those who know its path, and nothing to all others.
enum PageAnswer {
  /// The bytes of the answer to a head that has come whole, or never will.
  ///
  /// The host has to be the address that the page was given: with another name, a page from
  /// elsewhere has led the browser here.
  static func bytes(
    to head: HttpHead,
    host: String,
    path: String,
    _ page: PageServer.Page
  ) -> [UInt8] {
    guard case .whole(let request) = head, request.method == "GET",
      request.field("host") == host, isEqual(request.target, path)
    else { return HttpAnswer.bytes("403 Forbidden", privacy) }
    guard request.field("if-none-match") != page.version else {
      return HttpAnswer.bytes("304 Not Modified", ["ETag: \(page.version)"] + privacy, body: nil)
    }
    let own = "'nonce-\(page.nonce)'"
    let policy =
      "default-src 'none'; style-src \(own); script-src \(own); connect-src 'self';"
      + " img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    let fields = [
      "Content-Type: text/html; charset=utf-8", "ETag: \(page.version)",
      "Content-Security-Policy: \(policy)",
    ]
    return HttpAnswer.bytes("200 OK", fields + privacy, body: page.bytes())
  }

  private static let privacy = [
    "Cache-Control: no-store", "Referrer-Policy: no-referrer", "X-Content-Type-Options: nosniff",
    "Cross-Origin-Resource-Policy: same-origin",
  ]

  /// Compares all bytes, so that the time tells nothing of the token.
  private static func isEqual(_ given: String, _ path: String) -> Bool {
    let (one, other) = (Array(given.utf8), Array(path.utf8))
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
