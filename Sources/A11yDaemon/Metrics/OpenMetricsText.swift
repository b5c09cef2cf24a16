// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A page in the text format of OpenMetrics 1.0, which is written from top to bottom.
package struct OpenMetricsText {
  private var lines = ""

  package init() {}

  /// The whole page, with the line that tells that nothing is missing.
  package var page: String { lines + "# EOF\n" }

  /// Begins a family; its samples follow.
  package mutating func beginFamily(_ metric: Metric) {
    let name = metric.rawValue
    lines += "# TYPE \(name) \(metric.kind.rawValue)\n"
    if let unit = metric.unit { lines += "# UNIT \(name) \(unit)\n" }
    lines += "# HELP \(name) \(Self.escaped(metric.help))\n"
  }

  /// Adds a family of one number.
  package mutating func addNumber(_ metric: Metric, _ number: Int64) {
    beginFamily(metric)
    addSample(metric.rawValue + metric.ending, [], "\(number)")
  }

  /// Adds a family of one time, in seconds.
  package mutating func addTime(_ metric: Metric, microseconds: Int64) {
    beginFamily(metric)
    addSample(metric.rawValue, [], Self.seconds(microseconds))
  }

  /// Adds a family with a number for each value of one label.
  package mutating func addNumbers(
    _ metric: Metric,
    by label: String,
    _ numbers: [(value: String, number: Int64)]
  ) {
    beginFamily(metric)
    for (value, number) in numbers {
      addSample(metric.rawValue + metric.ending, [(label, value)], "\(number)")
    }
  }

  /// Adds a family whose one sample is nothing but labels.
  package mutating func addInfo(_ metric: Metric, _ labels: [(name: String, value: String)]) {
    beginFamily(metric)
    addSample(metric.rawValue + metric.ending, labels, "1")
  }

  /// Adds a histogram; the last count is of those beyond all bounds, which are in milliseconds.
  package mutating func addHistogram(
    _ metric: Metric,
    milliseconds bounds: [Int64],
    _ counts: [Int64],
    sumMicroseconds sum: Int64
  ) {
    precondition(counts.count == bounds.count + 1, "a bucket has no end")
    beginFamily(metric)
    let ends = bounds.map { Self.seconds($0 * 1_000) } + ["+Inf"]
    var total: Int64 = 0
    for (end, count) in zip(ends, counts) {
      total += count
      addSample("\(metric.rawValue)_bucket", [("le", end)], "\(total)")
    }
    addSample("\(metric.rawValue)_count", [], "\(total)")
    addSample("\(metric.rawValue)_sum", [], Self.seconds(sum))
  }

  private mutating func addSample(
    _ name: String,
    _ labels: [(name: String, value: String)],
    _ value: String
  ) {
    let pairs = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
    lines += name + (pairs.isEmpty ? "" : "{\(pairs)}") + " \(value)\n"
  }

  /// A time as decimal seconds, exact to the microsecond.
  private static func seconds(_ microseconds: Int64) -> String {
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

extension Metric {
  /// The end of the names of its samples.
  fileprivate var ending: String {
    switch kind {
    case .counter: "_total"
    case .info: "_info"
    case .gauge, .histogram: ""
    }
  }
}
