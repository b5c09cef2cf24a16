// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix

/// The work of the processes of speech-dispatcher, from one look to the next.
struct SpeechWork {
  private var roots: [Int32] = []
  /// The time that each process has worked by the last look, in nanoseconds.
  private var last: [Int32: UInt64] = [:]

  /// A thousandth of the time between two looks; who has done less than this is looked for anew.
  private static let little: Int64 = 1_000

  /// The most that one process has worked since the last call, in microseconds; nil where there is
  /// none to be seen.
  mutating func measure(_ roots: [Int32], helpers name: String) -> Int64? {
    let known = roots == self.roots ? compare(Array(last.keys)) : nil
    if let known, known >= Self.little { return known }
    // Finding the processes costs more than looking at them, and is done while nothing stirs.
    self.roots = roots
    let helpers = roots.flatMap { Processes.helpers(of: $0, named: name) }
    let found = compare(Processes.families(of: roots + helpers))
    return [known, found].compactMap { $0 }.max()
  }

  private mutating func compare(_ processes: [Int32]) -> Int64? {
    let before = last
    last = [:]
    var most: Int64?
    for process in processes {
      guard let work = Processes.work(of: process) else { continue }
      last[process] = work
      let more = before[process].map { work > $0 ? work - $0 : 0 } ?? 0
      most = max(most ?? 0, Int64(clamping: more / 1_000))
    }
    return most
  }
}
