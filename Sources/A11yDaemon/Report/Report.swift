// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Systemd

/// What the daemon tells its operator: the journal, and `systemctl status`.
final class Report {
  private let journal: Journal
  private var lastStatus = ""

  init(threshold: LogLevel) {
    journal = Journal(to: .current(prefixed: false), threshold: threshold)
  }

  /// One entry, with an explanation in the catalog.
  func say(
    _ message: MessageCatalog,
    _ text: String,
    fields: [(name: String, value: String)] = [],
    file: String = #fileID,
    line: Int = #line,
    function: String = #function
  ) {
    journal.send(
      priority: message.level,
      message: text,
      messageID: message.id,
      fields: fields,
      at: SystemClock.monotonicMicroseconds(),
      file: file,
      line: line,
      function: function
    )
  }

  /// From now on tells this much.
  func apply(_ threshold: LogLevel) { journal.threshold = threshold }

  func status(_ text: String) {
    guard text != lastStatus else { return }
    lastStatus = text
    Notify.status(text)
  }
}

extension MessageCatalog {
  /// The level of its consequence.
  fileprivate var level: LogLevel {
    switch self {
    case .started, .stopped, .configurationTakenOver, .storageRestored: .info
    case .newEpoch: .notice
    case .configurationRefused, .quotaExceeded, .descriptorsExhausted: .warning
    case .storageDegraded, .socketTaken, .stateHeld, .notPrivate, .failed: .error
    }
  }
}
