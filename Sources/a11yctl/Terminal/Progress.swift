// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Glibc

/// Tells a person at the terminal, now and then, how far a long piece of work has come.
final class Progress {
  /// Long enough that a screen reader has said one line before the next comes.
  private static let pause: UInt64 = 3_000_000

  var total: Int64 = 0
  private let verb: String
  private let clock: () -> UInt64
  private let onProgress: ((String) -> Void)?
  private var done: Int64 = 0
  private var told: UInt64

  /// A progress that goes to `onProgress`, or to nobody.
  init(_ verb: String, clock: @escaping () -> UInt64, onProgress: ((String) -> Void)?) {
    self.verb = verb
    self.clock = clock
    self.onProgress = onProgress
    told = clock()
  }

  /// The progress of this process, told where standard error is a terminal.
  convenience init(_ verb: String, _ output: Output) {
    self.init(
      verb,
      clock: SystemClock.monotonicMicroseconds,
      onProgress: isatty(2) == 1 ? output.complain : nil
    )
  }

  func addBytes(_ bytes: Int64) {
    done += bytes
    guard let onProgress else { return }
    let now = clock()
    guard now >= told + Self.pause else { return }
    told = now
    // Nobody knows how much comes by a pipe.
    onProgress(
      total > 0
        ? "\(verb) \(min(100, done * 100 / total)) percent of \(ByteSize.words(total))."
        : "\(verb) \(ByteSize.words(done)) so far."
    )
  }

  /// Announces a step that may take a while.
  func announce(step: String) { onProgress?(step) }
}
