// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yHttp

/// An answer of the metrics sockets, which know one path and two methods.
package enum MetricsAnswer {
  /// The type of the page, by which a scraper knows how to read it.
  package static let type = "application/openmetrics-text; version=1.0.0; charset=utf-8"

  /// The bytes of the answer to a head that has come whole, or never will.
  package static func bytes(to head: HttpHead, page: () -> String) -> [UInt8] {
    switch head {
    case .whole(let request): response(to: request, page)
    case .incomplete, .malformed: refusal("400 Bad Request", "expected a request of HTTP/1.1")
    case .late: refusal("408 Request Timeout", "the request has not come whole")
    case .tooLarge:
      refusal(
        "431 Request Header Fields Too Large",
        "expected a head of at most \(HttpHead.bytes) bytes"
      )
    }
  }

  private static func response(to request: HttpRequest, _ page: () -> String) -> [UInt8] {
    // Scrapers may put parameters behind the path, which choose nothing here.
    guard request.path == "/metrics" else {
      return refusal("404 Not Found", "nothing else is here")
    }
    guard ["GET", "HEAD"].contains(request.method) else {
      let allowed = ["Allow: GET, HEAD"]
      return refusal("405 Method Not Allowed", "expected GET or HEAD", allowed)
    }
    return HttpAnswer.bytes(
      "200 OK",
      ["Content-Type: \(type)"],
      body: Array(page().utf8),
      isHead: request.method == "HEAD"
    )
  }

  private static func refusal(
    _ status: String,
    _ words: String,
    _ fields: [String] = []
  ) -> [UInt8] {
    HttpAnswer.bytes(
      status,
      ["Content-Type: text/plain; charset=utf-8"] + fields,
      body: Array("The metrics are at /metrics: \(words).\n".utf8)
    )
  }
}
