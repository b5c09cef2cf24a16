// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yDaemon

/// Requests to a metrics socket, which may come in any pieces: a request has one answer, from some
/// byte on.
enum Scrapes {
  static func take(_ input: [UInt8]) throws(Broken) {
    let input = Array(input.prefix(MetricsRequest.bytes))
    let whole = MetricsRequest(input)
    var first: MetricsRequest?
    for count in stride(from: 0, through: input.count, by: 1 + input.count / 64) {
      let request = MetricsRequest(Array(input.prefix(count)))
      if first == nil, request != .incomplete { first = request }
      if let first { try demand(request == first, "an answer has changed after \(count) bytes") }
    }
    if let first { try demand(first == whole, "an answer has changed at the end") }
    try demand(
      whole != .incomplete || input.count < MetricsRequest.bytes,
      "a full head waits for more"
    )
    let bytes = MetricsAnswer.bytes(to: whole) { "# EOF\n" }
    try demand((bytes == nil) == (whole == .incomplete), "an answer is missing or comes early")
  }
}
