// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Glibc

/// The clock of all measurements, which nobody sets and all processes share.
enum Clock {
  static func nanoseconds() -> Int { read(CLOCK_MONOTONIC) }

  /// Waits until the clock shows `nanoseconds`.
  static func sleep(until nanoseconds: Int) {
    var time = timespec(
      tv_sec: nanoseconds / 1_000_000_000,
      tv_nsec: nanoseconds % 1_000_000_000
    )
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
  }

  static func sleep(milliseconds: Int) { sleep(until: nanoseconds() + milliseconds * 1_000_000) }

  fileprivate static func read(_ clock: clockid_t) -> Int {
    var time = timespec()
    clock_gettime(clock, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}

/// The processor time of the threads of a process, by the scheduler's account, in nanoseconds.
enum CPUTime {
  static func ofThisThread() -> Int { Clock.read(CLOCK_THREAD_CPUTIME_ID) }

  /// The time of all child processes that have ended.
  static func ofTheEnded() -> Int {
    var usage = rusage()
    getrusage(RUSAGE_CHILDREN.rawValue, &usage)
    let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
    return (seconds * 1_000_000 + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1_000
  }

  /// The time of a process up to this moment.
  static func of(_ process: pid_t) throws -> Int {
    var clock = clockid_t()
    guard clock_getcpuclockid(process, &clock) == 0 else {
      throw BenchFailure("the processor time of process \(process) cannot be read")
    }
    return Clock.read(clock)
  }
}

/// The time by the clock and the processor time that some work has taken.
struct Cost {
  let nanoseconds: Int
  let processor: Int

  init(nanoseconds: Int, processor: Int) {
    self.nanoseconds = nanoseconds
    self.processor = processor
  }

  /// Does the work, and looks at both clocks before and after.
  init(processor: () throws -> Int, of work: () throws -> Void) throws {
    let processorBefore = try processor()
    let before = Clock.nanoseconds()
    try work()
    nanoseconds = Clock.nanoseconds() - before
    self.processor = try processor() - processorBefore
  }

  func perSecond(_ count: Int) -> Double { Double(count) * 1e9 / Double(nanoseconds) }

  /// Processor time for each of `count`, in µs.
  func microseconds(each count: Int) -> Double { Double(processor) / 1e3 / Double(count) }

  /// How many come in a second, and the processor time for each, in µs.
  func rates(of count: Int) -> [Double] { [perSecond(count), microseconds(each: count)] }
}

/// Median and extremes over the rounds of a figure.
struct RoundStatistics {
  let median: Double
  let least: Double
  let most: Double

  /// The statistics; nil without a round.
  init?(_ values: [Double]) {
    guard let least = values.min(), let most = values.max() else { return nil }
    self.least = least
    self.most = most
    median = values.quantile(0.5)
  }

  func range(decimals: Int) -> String {
    "(\(grouped(least, decimals: decimals))–\(grouped(most, decimals: decimals)))"
  }
}

extension [Double] {
  /// The value below which `share` of the values lie, between neighbours by their distance.
  func quantile(_ share: Double) -> Double {
    precondition(!isEmpty, "a quantile is asked of at least one value")
    let sorted = sorted()
    let place = share * Double(count - 1)
    let below = Int(place)
    let above = Swift.min(below + 1, count - 1)
    return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
  }
}

/// A number with commas between thousands, rounded to `decimals` places.
func grouped(_ value: Double, decimals: Int = 0) -> String {
  let scale = (0..<decimals).reduce(1) { product, _ in product * 10 }
  let rounded = Int((abs(value) * Double(scale)).rounded())
  var whole = ""
  for (index, digit) in String(rounded / scale).reversed().enumerated() {
    if index > 0, index % 3 == 0 { whole.append(",") }
    whole.append(digit)
  }
  let sign = value < 0 && rounded > 0 ? "-" : ""
  guard decimals > 0 else { return sign + String(whole.reversed()) }
  let fraction = String(rounded % scale)
  let zeros = String(repeating: "0", count: decimals - fraction.count)
  return sign + String(whole.reversed()) + "." + zeros + fraction
}
