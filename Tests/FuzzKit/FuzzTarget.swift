// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The parts that are fed any bytes at all, to see that they neither trap nor break their word.
///
/// Each case is a program of its own, `fuzz-<name>`, and has a folder of inputs in `Tests/Corpus`
/// that the fuzzer starts from and that the tests run once.
package enum FuzzTarget: String, CaseIterable, Sendable {
  case lines, entries, requests, config, metrics, recovery
  /// Breaks its word for a certain input, so that a fuzzer which finds nothing is noticed.
  case canary

  /// Takes one input; throws where something does not hold that should.
  package func take(_ input: [UInt8], _ readers: Readers) throws(Broken) {
    switch self {
    case .lines: try Lines.take(input, readers)
    case .entries: try Entries.take(input, readers)
    case .requests: try Requests.take(input, readers)
    case .config: try Config.take(input)
    case .metrics: try Scrapes.take(input)
    case .recovery: try Start.take(input)
    case .canary: try Canary.take(input)
    }
  }

  /// Takes one input of the fuzzer's, which hears of nothing but a trap.
  package func take(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeBufferPointer(start: bytes, count: count)
    do throws(Broken) {
      try take(Array(input), Self.readers)
    } catch {
      fatalError("\(error)")
    }
    return 0
  }

  /// For the program's whole life, and for the one thread that libFuzzer has.
  private nonisolated(unsafe) static let readers = Readers()
}
