// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
package import A11yHttp
import A11yLog
import A11yPresenter
import A11yWire

/// A family of figures for scrapers, in the text format of OpenMetrics 1.0.
///
/// Labels are words of the protocol, so that their number is bounded. An app is no label: its name
/// is private, and an app may choose new ones for ever.
package struct Metric: Sendable {
  package enum Kind: String, Sendable {
    case counter, gauge, histogram, info
  }

  /// A figure of the family.
  struct Sample {
    /// The end of its name.
    var ending = ""
    var label: (name: String, value: String)?
    let value: String
  }

  package let name: String
  package let kind: Kind
  /// The unit, which is also the end of the name.
  private let unit: String?
  package let help: String
  /// The samples, made when the page is asked for.
  private let samples: @Sendable (Bus) -> [Sample]

  private init(
    _ name: String,
    _ kind: Kind,
    in unit: String? = nil,
    _ help: String,
    samples: @escaping @Sendable (Bus) -> [Sample]
  ) {
    self.name = name
    self.kind = kind
    self.unit = unit
    self.help = help
    self.samples = samples
  }

  /// A family of one number.
  private init(
    _ name: String,
    _ kind: Kind,
    in unit: String? = nil,
    _ help: String,
    _ number: @escaping @Sendable (Bus) -> Int64
  ) {
    self.init(name, kind, in: unit, help) { [Sample(value: "\(number($0))")] }
  }

  /// A family with a number for each value of one label.
  private init(
    _ name: String,
    _ kind: Kind,
    _ help: String,
    by label: String,
    _ numbers: @escaping @Sendable (Bus) -> [(value: String, number: Int64)]
  ) {
    self.init(name, kind, help) { bus in
      numbers(bus).map { Sample(label: (label, $0.value), value: "\($0.number)") }
    }
  }

  // MARK: The table

  /// All there are, in the order of the page.
  package static let all = [
    Metric("a11yd_build", .info, "The version of the daemon.") { _ in
      [Sample(label: ("version", Protocol.release), value: "1")]
    },
    Metric(
      "a11yd_start_time_seconds",
      .gauge,
      in: "seconds",
      "When the daemon was started, in seconds since 1970."
    ) { bus in [Sample(value: seconds(bus.startedAtWall))] },
    Metric("a11yd_connections", .gauge, "Open connections of clients.") {
      Int64($0.connections.count)
    },
    Metric(
      "a11yd_connections_limit",
      .gauge,
      "Connections that there may be, as limits.connections says."
    ) { Int64($0.settings.limits.connections) },
    Metric("a11yd_subscribers", .gauge, "Connections that follow the log.") {
      Int64($0.subscribers.count { $0.feed != nil })
    },
    Metric(
      "a11yd_subscriber_behind_entries",
      .gauge,
      in: "entries",
      "Entries that the slowest subscriber was not sent yet."
    ) { bus in
      let slowest = bus.subscribers.compactMap { $0.feed?.passed }.min() ?? bus.last
      return max(0, bus.last.number - slowest.number)
    },
    Metric("a11yd_readers", .gauge, "Readers that listen, screen readers and braille displays.") {
      Int64($0.broker.presenter.readerCount)
    },
    Metric("a11yd_requests", .counter, "Requests.") { $0.broker.counters.requests },
    Metric("a11yd_refusals", .counter, "Refused requests and lines, by code.", by: "code") { bus in
      RefusalCode.allCases.map { ($0.rawValue, bus.broker.counters.refused[$0] ?? 0) }
    },
    Metric("a11yd_events_published", .counter, "Events that were taken, by type.", by: "type") {
      bus in EventType.allCases.map { ($0.rawValue, bus.broker.counters.published($0)) }
    },
    Metric(
      "a11yd_events_duplicate",
      .counter,
      "Events that were sent again with the key of an earlier one."
    ) { $0.broker.counters.duplicates },
    Metric("a11yd_outcomes", .counter, "Events that have ended, by result.", by: "result") { bus in
      Result.allCases.map { ($0.rawValue, bus.broker.counters.ended($0)) }
    },
    Metric(
      "a11yd_heard_wait_seconds",
      .histogram,
      in: "seconds",
      "How long events that were heard have waited for their turn to be spoken."
    ) { bus in
      let waits = bus.broker.counters.waits
      return histogram(WaitHistogram.bounds, waits.counts, sum: waits.sum.microseconds)
    },
    Metric("a11yd_events_pending", .gauge, "Events that wait or are being spoken.", by: "state") {
      bus in
      let pending = bus.broker.presenter.pendingByState
      return Pending.State.allCases.map { ($0.rawValue, pending[$0] ?? 0) }
    },
    Metric("a11yd_queue_events", .gauge, "Events in the queue.") {
      Int64($0.broker.presenter.queueLength)
    },
    Metric("a11yd_queue_limit", .gauge, "Events that the queue has room for.") { _ in
      Int64(Limits.pending)
    },
    Metric("a11yd_turns", .counter, "Turns of the loop.") { $0.turns },
    Metric("a11yd_entries", .counter, "Entries that were written since the start.") {
      $0.broker.entryCount
    },
    Metric("a11yd_log_bytes", .gauge, in: "bytes", "Bytes of the log.") { $0.log.bytes },
    Metric("a11yd_log_segments", .gauge, "Files of entries of the log.") {
      Int64($0.log.segmentCount)
    },
    Metric("a11yd_log_first_seq", .gauge, "The number of the oldest entry of the log.") {
      $0.log.first.number
    },
    Metric("a11yd_log_last_seq", .gauge, "The number of the newest entry.") { $0.log.last.number },
    Metric(
      "a11yd_log_synced_seq",
      .gauge,
      "The number of the newest entry that the medium has confirmed."
    ) { $0.log.synced.number },
    Metric(
      "a11yd_log_degraded",
      .gauge,
      "1 while the disk takes nothing and entries are kept in memory, else 0."
    ) { $0.broker.isDegraded ? 1 : 0 },
    Metric("a11yd_forgets", .counter, "Requests to forget that were carried out.") {
      $0.forgets.count
    },
    Metric("a11yd_entries_forgotten", .counter, "Entries that were forgotten on request.") {
      $0.forgets.entries
    },
    Metric("a11yd_reloads", .counter, "Reloads of the configuration.") { $0.reloads.count },
    Metric(
      "a11yd_configuration_mistaken",
      .gauge,
      "1 while configuration or rules have a mistake, else 0."
    ) { $0.reloads.refused == nil ? 0 : 1 },
  ]

  // MARK: The page

  /// The family as the page has it.
  func text(_ samples: [Sample]) -> String {
    var lines = "# TYPE \(name) \(kind.rawValue)\n"
    if let unit { lines += "# UNIT \(name) \(unit)\n" }
    lines += "# HELP \(name) \(Self.escaped(help))\n"
    for sample in samples {
      lines += name + ending + sample.ending
      if let (label, value) = sample.label { lines += "{\(label)=\"\(Self.escaped(value))\"}" }
      lines += " \(sample.value)\n"
    }
    return lines
  }

  func text(of bus: Bus) -> String { text(samples(bus)) }

  /// The end of the names of its samples.
  private var ending: String {
    switch kind {
    case .counter: "_total"
    case .info: "_info"
    case .gauge, .histogram: ""
    }
  }

  /// The samples of a histogram, whose bounds are in milliseconds and whose sum is in microseconds;
  /// the last count is of those beyond all bounds.
  static func histogram(_ bounds: [Int64], _ counts: [Int64], sum: Int64) -> [Sample] {
    precondition(counts.count == bounds.count + 1, "a bucket has no end")
    var samples: [Sample] = []
    var total: Int64 = 0
    for (end, count) in zip(bounds.map { seconds($0 * 1_000) } + ["+Inf"], counts) {
      total += count
      samples.append(Sample(ending: "_bucket", label: ("le", end), value: "\(total)"))
    }
    return samples + [
      Sample(ending: "_count", value: "\(total)"), Sample(ending: "_sum", value: seconds(sum)),
    ]
  }

  /// A time as decimal seconds, exact to the microsecond.
  static func seconds(_ microseconds: Int64) -> String {
    let (whole, rest) = microseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
    let digits = String(rest + 1_000_000).dropFirst()
    let places = digits.dropLast(digits.reversed().prefix(while: { $0 == "0" }).count)
    return (microseconds < 0 ? "-" : "") + "\(whole)." + (places.isEmpty ? "0" : places)
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text.unicodeScalars {
      switch character {
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      case "\n": result += "\\n"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }
}

extension Bus {
  /// The page for scrapers, with the line that tells that nothing is missing.
  package var metrics: String { Metric.all.map { $0.text(of: self) }.joined() + "# EOF\n" }
}

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
