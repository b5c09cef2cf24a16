// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yForward
import A11yPosix
import Synchronization

/// The one place that the loop and the sending thread share.
final class ForwardMailbox: Sendable {
  /// A sentence that is told once.
  struct Remark: Equatable, Sendable {
    let message: ForwardMessage
    let words: String
  }

  /// The thread's words for the loop.
  struct News: Sendable {
    var conditions: [ForwardCondition]
    var remarks: [Remark]
  }

  private struct Contents {
    var conditions = ConditionNews()
    var remarks: [Remark] = []
    var plan: ForwardPlan?
    /// Counts the plans, so that the thread notices a new one.
    var edition = 0
  }

  /// Remarks that the loop has not told yet; further ones are dropped.
  private static let mostRemarks = 16

  private let contents = Mutex(Contents())
  private let loopBell: Bell
  private let threadBell: Bell

  init(loopBell: Bell, threadBell: Bell) {
    self.loopBell = loopBell
    self.threadBell = threadBell
  }

  // MARK: The loop's side

  func follow(_ plan: ForwardPlan) {
    contents.withLock { contents in
      contents.plan = plan
      contents.edition += 1
    }
    threadBell.ring()
  }

  func takeNews() -> News {
    contents.withLock { contents in
      defer { contents.remarks = [] }
      return News(conditions: contents.conditions.collect(), remarks: contents.remarks)
    }
  }

  // MARK: The thread's side

  var plan: (plan: ForwardPlan?, edition: Int) {
    contents.withLock { ($0.plan, $0.edition) }
  }

  func note(_ condition: ForwardCondition) {
    let isNew = contents.withLock { $0.conditions.enter(condition) }
    // Numbers alone wait for the loop's next look.
    if isNew { loopBell.ring() }
  }

  func remark(_ message: ForwardMessage, _ words: String) {
    contents.withLock { contents in
      guard contents.remarks.count < Self.mostRemarks else { return }
      contents.remarks.append(Remark(message: message, words: words))
    }
    loopBell.ring()
  }
}
