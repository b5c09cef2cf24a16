// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBraille
import A11yClient
import A11yPosix
import Synchronization

/// The one place that the loop and the thread of the display share.
///
/// Each side leaves the newest state for the other and rings: there is no queue that could grow.
final class DisplayMailbox: Sendable {
  /// The thread's words for the loop.
  struct News: Sendable {
    var condition = BrailleCondition.connecting
    /// The keys since the last look.
    var keys: [Board.Key] = []
    /// The moment since which the thread waits for BRLTTY.
    var busySince: UInt64?
  }

  private struct Contents {
    var news = News()
    /// The cells that the loop wants shown; nil gives the display back.
    var wanted: String?
  }

  /// Keys that the loop has not taken yet; further ones are dropped.
  private static let mostKeys = 64

  private let contents = Mutex(Contents())
  private let loopBell: Bell
  private let threadBell: Bell

  init(loopBell: Bell, threadBell: Bell) {
    self.loopBell = loopBell
    self.threadBell = threadBell
  }

  // MARK: The loop's side

  func want(_ cells: String?) {
    contents.withLock { $0.wanted = cells }
    threadBell.ring()
  }

  func takeNews() -> News {
    contents.withLock { contents in
      defer { contents.news.keys = [] }
      return contents.news
    }
  }

  // MARK: The thread's side

  var wanted: String? { contents.withLock { $0.wanted } }

  func tell(_ condition: BrailleCondition) {
    contents.withLock { $0.news.condition = condition }
    loopBell.ring()
  }

  func tell(_ keys: [Board.Key]) {
    contents.withLock { contents in
      contents.news.keys += keys.prefix(Self.mostKeys - contents.news.keys.count)
    }
    loopBell.ring()
  }

  /// Does something for which BRLTTY may take its time, and lets the loop know meanwhile.
  func whileBusy<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    contents.withLock { $0.news.busySince = SystemClock.monotonicMicroseconds() }
    loopBell.ring()
    defer {
      contents.withLock { $0.news.busySince = nil }
      loopBell.ring()
    }
    return try body()
  }
}
