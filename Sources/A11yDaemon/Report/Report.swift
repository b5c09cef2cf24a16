// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Systemd

/// What the daemon tells its operator: the journal, and `systemctl status`.
package final class Report {
  /// Hears what is said in place of the journal.
  package typealias Listener = (_ message: MessageCatalog, _ text: String) -> Void

  private enum Destination {
    case journal(Journal)
    case listener(Listener)
  }

  private let destination: Destination
  private var lastStatus = ""

  init(threshold: LogLevel) {
    destination = .journal(Journal(to: .current(prefixed: false), threshold: threshold))
  }

  /// A report that no journal gets, and no manager.
  package init(to listener: @escaping Listener) { destination = .listener(listener) }

  /// One entry, with an explanation in the catalog.
  func say(
    _ message: MessageCatalog,
    _ text: String,
    fields: [(name: String, value: String)] = [],
    file: String = #fileID,
    line: Int = #line,
    function: String = #function
  ) {
    let journal: Journal
    switch destination {
    case .journal(let its): journal = its
    case .listener(let hear): return hear(message, text)
    }
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
  func apply(_ threshold: LogLevel) {
    guard case .journal(let journal) = destination else { return }
    journal.threshold = threshold
  }

  func status(_ text: String) {
    guard case .journal = destination, text != lastStatus else { return }
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
    case .storageRescued, .damageFound, .stateLost, .configurationRefused, .rulesLeftOut,
      .quotaExceeded,
      .descriptorsExhausted:
      .warning
    case .storageDegraded, .socketTaken, .stateHeld, .notPrivate, .failed: .error
    }
  }
}
