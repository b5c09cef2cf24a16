// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// An answer of the metrics sockets in the words of HTTP.
package enum MetricsAnswer {
  /// The type of the page, by which a scraper knows how to read it.
  package static let type = "application/openmetrics-text; version=1.0.0; charset=utf-8"

  /// The bytes of the answer; nil where the request has not come whole yet.
  package static func bytes(to request: MetricsRequest, page: () -> String) -> [UInt8]? {
    switch request {
    case .incomplete: nil
    case .page(let isHead): wholeBytes("200 OK", type, page(), isHead: isHead)
    case .refused(let refusal): refusalBytes(refusal)
    }
  }

  private static func refusalBytes(_ refusal: MetricsRequest.Refusal) -> [UInt8] {
    let (name, words) =
      switch refusal {
      case .badRequest: ("Bad Request", "expected a request of HTTP/1.1")
      case .notFound: ("Not Found", "nothing else is here")
      case .methodNotAllowed: ("Method Not Allowed", "expected GET or HEAD")
      case .timeout: ("Request Timeout", "the request has not come whole")
      case .headTooLarge:
        (
          "Request Header Fields Too Large",
          "expected a head of at most \(MetricsRequest.bytes) bytes"
        )
      }
    let fields = refusal == .methodNotAllowed ? "Allow: GET, HEAD\r\n" : ""
    return wholeBytes(
      "\(refusal.rawValue) \(name)",
      "text/plain; charset=utf-8",
      "The metrics are at /metrics: \(words).\n",
      fields,
      isHead: false
    )
  }

  private static func wholeBytes(
    _ status: String,
    _ type: String,
    _ body: String,
    _ fields: String = "",
    isHead: Bool
  ) -> [UInt8] {
    let head =
      "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n"
      + "\(fields)Connection: close\r\n\r\n"
    return Array((isHead ? head : head + body).utf8)
  }
}
