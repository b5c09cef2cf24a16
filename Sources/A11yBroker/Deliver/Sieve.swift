// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// The lines of a turn that pass each of the subscribers' filters.
///
/// A line is read once for all filters, and judged once for all subscribers with the same filter.
package struct Sieve {
  /// One bit of a word for each filter; the subscribers of further ones judge each line themselves.
  private static let most = 64

  /// The bit of each filter.
  private var filters: [Filter: Int] = [:]
  /// The filters that a line passes.
  private var passed: [UInt64] = []
  /// The offset of each line, in order.
  private var starts: [Int] = []

  package init() {}

  package mutating func clear() {
    filters.removeAll(keepingCapacity: true)
    passed.removeAll(keepingCapacity: true)
    starts.removeAll(keepingCapacity: true)
  }

  package mutating func add(_ filter: Filter) {
    guard filters.count < Self.most, filters[filter] == nil else { return }
    filters[filter] = filters.count
  }

  /// Judges lines, each with its newline, by the filters that were added.
  package mutating func judge(_ lines: Span<UInt8>, with reader: JSONReader) {
    guard !filters.isEmpty else { return }
    var start = 0
    while let newline = lines.firstIndex(of: UInt8(ascii: "\n"), from: start) {
      starts.append(start)
      passed.append(filtersPassed(by: lines.extracting(start..<newline), reader))
      start = newline + 1
    }
  }

  private func filtersPassed(by line: Span<UInt8>, _ reader: JSONReader) -> UInt64 {
    do throws(JSONFault) { try reader.read(line) } catch { return 0 }
    var passed: UInt64 = 0
    for (filter, bit) in filters where filter.admits(reader.document) { passed |= 1 << UInt64(bit) }
    return passed
  }

  /// The verdicts on the lines from an offset on; nil where this filter was not judged.
  package func verdicts(of filter: Filter, from offset: Int) -> Verdicts? {
    guard let bit = filters[filter] else { return nil }
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] < offset { low = middle + 1 } else { high = middle }
    }
    guard low < starts.count, starts[low] == offset else { return nil }
    return Verdicts(passed: passed, mask: 1 << UInt64(bit), line: low)
  }

  /// Whether each line passes one filter, line by line.
  package struct Verdicts: Equatable {
    fileprivate let passed: [UInt64]
    fileprivate let mask: UInt64
    fileprivate var line: Int

    package mutating func next() -> Bool {
      defer { line += 1 }
      return passed[line] & mask != 0
    }
  }
}
