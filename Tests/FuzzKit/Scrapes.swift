// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yDaemon
import A11yHttp

/// Requests to a metrics socket, which may come in any pieces: a request has one answer, from some
/// byte on.
enum Scrapes {
  static func take(_ input: [UInt8]) throws(Broken) {
    let input = Array(input.prefix(HttpHead.bytes))
    let whole = HttpHead(input)
    var first: HttpHead?
    for count in stride(from: 0, through: input.count, by: 1 + input.count / 64) {
      let head = HttpHead(Array(input.prefix(count)))
      if first == nil, head != .incomplete { first = head }
      if let first { try demand(head == first, "an answer has changed after \(count) bytes") }
    }
    if let first { try demand(first == whole, "an answer has changed at the end") }
    try demand(
      whole != .incomplete || input.count < HttpHead.bytes,
      "a full head waits for more"
    )
    let bytes = MetricsAnswer.bytes(to: whole) { "# EOF\n" }
    try demand(bytes.starts(with: "HTTP/1.1 ".utf8), "an answer has no status")
  }
}
