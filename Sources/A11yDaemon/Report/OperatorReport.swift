// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
package import Systemd

/// The daemon's words to its operator: the journal, and `systemctl status`.
package final class OperatorReport {
  /// Gets the entries in place of the journal.
  package typealias Listener = (_ message: MessageCatalog, _ text: String) -> Void

  private enum Destination {
    case journal(Journal)
    case listener(Listener)
  }

  private let destination: Destination
  /// The service manager, where there is one.
  let manager: Notifier
  private var lastStatus = ""

  /// A report to the journal and the service manager of this process.
  package init(threshold: LogLevel) {
    manager = Notifier()
    destination = .journal(Journal(to: .current(prefixed: false), threshold: threshold))
  }

  /// A report for the time before the settings say how much is told.
  package convenience init() { self.init(threshold: .info) }

  /// A report that no journal gets, and no manager.
  package init(to listener: @escaping Listener) {
    manager = Notifier(address: nil)
    destination = .listener(listener)
  }

  /// One entry, with an explanation in the catalog.
  func say(
    _ message: MessageCatalog,
    _ text: String,
    _ fields: [JournalField: String] = [:],
    file: String = #fileID,
    line: Int = #line,
    function: String = #function
  ) {
    // The text is the reason, unless a shorter one is given.
    let fields = fields.merging([.reason: text]) { given, _ in given }
    precondition(message.fields.isSubset(of: fields.keys), "an entry has the fields of its kind")
    let journal: Journal
    switch destination {
    case .journal(let its): journal = its
    case .listener(let hear): return hear(message, text)
    }
    journal.send(
      priority: message.level,
      message: text,
      messageID: message.id,
      fields: fields.sorted { $0.key.rawValue < $1.key.rawValue }.map {
        ($0.key.rawValue, $0.value)
      },
      at: SystemClock.monotonicMicroseconds(),
      file: file,
      line: line,
      function: function
    )
  }

  /// Writes a line on standard error for the starter of the process, whatever the threshold is.
  package func announce(_ line: String) {
    guard case .journal(let journal) = destination else { return }
    journal.say(line)
  }

  /// Tells the journal, the manager and standard error why there is no daemon.
  package func tell(_ fault: StartFault) {
    manager.status(fault.message)
    if let errno = fault.errno { manager.errno(errno) }
    guard case .journal(let journal) = destination else { return }
    if journal.destination == .journal {
      say(fault.kind.entry, fault.message, [.reason: fault.message, .path: fault.path ?? ""])
    }
    journal.say("a11yd: \(fault.message)\n")
  }

  /// Changes how much is told.
  func apply(_ threshold: LogLevel) {
    guard case .journal(let journal) = destination else { return }
    journal.threshold = threshold
  }

  func status(_ text: String) {
    guard case .journal = destination, text != lastStatus else { return }
    lastStatus = text
    manager.status(text)
  }
}

extension MessageCatalog {
  /// The level of its consequence.
  fileprivate var level: LogLevel {
    switch self {
    case .started, .stopped, .configurationTakenOver, .storageRestored: .info
    case .newEpoch, .evidenceDropped: .notice
    case .storageRescued, .damageFound, .stateLost, .configurationMistaken, .configurationRefused,
      .rulesLeftOut, .quotaExceeded, .descriptorsExhausted, .impaired:
      .warning
    case .storageDegraded, .socketTaken, .stateHeld, .notPrivate, .failed: .error
    }
  }
}

extension StartFault.Kind {
  /// The journal entry of such a fault.
  fileprivate var entry: MessageCatalog {
    switch self {
    case .socketTaken: .socketTaken
    case .stateHeld: .stateHeld
    case .notPrivate: .notPrivate
    case .usage, .socket, .state, .configuration: .failed
    }
  }
}
