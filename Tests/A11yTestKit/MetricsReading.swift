// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A page of metrics, read by the parser of Prometheus's own Python library, which is strict about
/// OpenMetrics: a page with a mistake cannot be read.
package struct MetricsReading {
  /// The samples by name and labels, as `name` or `name{label=value}`.
  package let samples: [String: Double]
  /// The names of families.
  package let families: Set<String>

  package init(_ page: String) throws {
    let directory = try ScratchDirectory()
    try Data(page.utf8).write(to: URL(filePath: directory("page")))
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = ["-c", Self.program, directory("page")]
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let words = String(decoding: bytes, as: UTF8.self)
    guard process.terminationStatus == 0 else { throw Missing("a page of metrics: \(words)") }
    var samples: [String: Double] = [:]
    var families: Set<String> = []
    for line in words.split(separator: "\n") {
      let parts = line.split(separator: "\t").map(String.init)
      if parts.count == 1 {
        families.insert(parts[0])
      } else {
        samples[parts[0]] = Double(parts[1])
      }
    }
    self.samples = samples
    self.families = families
  }

  package subscript(name: String) -> Double? { samples[name] }

  private static let program = """
    import sys
    from prometheus_client.openmetrics.parser import text_string_to_metric_families
    for family in text_string_to_metric_families(open(sys.argv[1], newline="").read()):
        print(family.name)
        for sample in family.samples:
            pairs = ",".join(f"{name}={value}" for name, value in sample.labels.items())
            print(sample.name + (f"{{{pairs}}}" if pairs else ""), float(sample.value), sep="\\t")
    """
}
