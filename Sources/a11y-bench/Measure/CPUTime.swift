// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The processor time of the threads of a process.
///
/// The scheduler's own account in `schedstat` counts nanoseconds. A kernel without it has user and
/// system time in clock ticks, which is coarse but enough for runs of a second.
enum CPUTime {
  /// The time of the calling thread.
  static func nanosecondsOfThisThread() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  /// The time of all child processes that have ended.
  static func nanosecondsOfTheEnded() -> Int {
    var usage = rusage()
    getrusage(RUSAGE_CHILDREN.rawValue, &usage)
    let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
    return (seconds * 1_000_000 + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1_000
  }

  static func nanosecondsNow(of process: pid_t) throws(BenchFailure) -> Int {
    var clock = clockid_t()
    var time = timespec()
    guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else {
      throw BenchFailure("the processor time of process \(process) cannot be read")
    }
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  static func nanoseconds(of process: pid_t) throws(BenchFailure) -> Int {
    let threads = Files.names(in: "/proc/\(process)/task")
    let schedules = threads.compactMap { thread in
      Files.text("/proc/\(process)/task/\(thread)/schedstat").flatMap(firstNumber)
    }
    let total = schedules.reduce(0, +)
    if total > 0 { return total }
    guard let ticks = Files.text("/proc/\(process)/stat").flatMap(userAndSystemTicks) else {
      throw BenchFailure("the processor time of process \(process) cannot be read")
    }
    return ticks * (1_000_000_000 / sysconf(Int32(_SC_CLK_TCK)))
  }

  private static func firstNumber(_ text: String) -> Int? {
    Int(text.prefix { $0 != " " })
  }

  /// Fields 14 and 15, counted from the end of the name, which may itself contain spaces.
  private static func userAndSystemTicks(_ text: String) -> Int? {
    guard let name = text.lastIndex(of: ")") else { return nil }
    let fields = text[name...].split(separator: " ")
    guard fields.count > 13, let user = Int(fields[12]), let system = Int(fields[13]) else {
      return nil
    }
    return user + system
  }
}
