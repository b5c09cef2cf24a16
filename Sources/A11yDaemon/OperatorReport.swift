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
    case .storageRescued, .damageFound, .stateLost, .configurationMistaken, .configurationAged,
      .configurationRefused,
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

/// The journal entries of the daemon that have an explanation in `systemd/a11yd.catalog`.
///
/// An identifier never changes its meaning: people filter by it
/// (`journalctl MESSAGE_ID=…`) and alarms are set on it.
package enum MessageCatalog: String, CaseIterable, Sendable {
  case started = "44a87ab5f7624aa0b751f74a3807b695"
  case stopped = "d3039fc4573b4c9295eded73c5488286"
  case storageDegraded = "518d385a99c94659b08358d567befa84"
  case storageRestored = "370ae10499504796b49bdfc3845d9a25"
  case storageRescued = "c3cbbc6875604e3499e398a18ae62b2d"
  case damageFound = "efc533e5246f4717ba891f93d4b0ef76"
  case evidenceDropped = "5e3b2f6f5e35436fa59dc2b61b1605c0"
  case stateLost = "42399eb37520486bb404135b06c614d9"
  case configurationMistaken = "251a4564abb04d6ba8b86a913276991b"
  case configurationAged = "d3ee9144035741809e14c191c6d728b3"
  case configurationRefused = "9999c35c53ff4b6cbc5b1a2e082b9a7e"
  case rulesLeftOut = "3241a7d90857490c8316c150f0a22375"
  case configurationTakenOver = "f4c8920ed74046e28f6ea1b4172ffeed"
  case socketTaken = "a2da10a42edf4d8183992d9d20b75759"
  case stateHeld = "f8acded1eaf94254a0f7fba873344f06"
  case notPrivate = "05a896f4c6074716bf1a67b298d1712d"
  case newEpoch = "eb6991c2391346ef826e464d5e6ece09"
  case quotaExceeded = "57ec594299af44baab642e727f2f0309"
  case descriptorsExhausted = "2fff5fc857304e23bc3ad3829c37d984"
  case impaired = "c54d569b8e5a462ea228472fa41aa956"
  case failed = "a3679c1ecac24c9e881760cfd600e38f"

  package var id: MessageID { MessageID(rawValue) }

  /// The fields that an entry of this kind always has; its explanation may name these and no
  /// others.
  package var fields: Set<JournalField> {
    switch self {
    case .started, .stopped, .stateLost: [.seq]
    case .storageDegraded, .storageRescued, .damageFound, .configurationMistaken,
      .configurationAged, .configurationRefused, .rulesLeftOut, .quotaExceeded,
      .descriptorsExhausted, .impaired, .failed:
      [.reason]
    case .socketTaken, .stateHeld, .notPrivate: [.path]
    case .storageRestored, .configurationTakenOver, .newEpoch, .evidenceDropped: []
    }
  }
}

/// The fields of our own that entries in the journal have, beside those that every entry has.
package enum JournalField: String, CaseIterable, Sendable {
  /// The last entry of the log, or the one that the entry of the journal is about.
  case seq = "BUS_SEQ"
  /// The reason, or the exact fault; never a text that was announced.
  case reason = "BUS_REASON"
  /// The file, socket or directory that the entry is about.
  case path = "BUS_PATH"
}
