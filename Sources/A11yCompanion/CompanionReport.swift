// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
package import A11yToml
package import Systemd

/// The condition of a program around the bus, told to the service manager, to the journal and on
/// standard error in the same sentences.
package final class CompanionReport {
  private let program: String
  package let manager = Notifier()
  private let journal = Journal(to: .current(prefixed: false), threshold: .info)
  private var lastStatus = ""

  package init(program: String) { self.program = program }

  /// Tells the service manager that the program runs, whether the bus is there or not.
  package func ready() { manager.ready() }

  package func stopping() { manager.stopping() }

  package func reloading() { manager.reloading() }

  /// Tells the present condition in a sentence, once for as long as it lasts.
  package func status(
    _ sentence: String,
    _ priority: LogLevel = .info,
    _ message: MessageID? = nil,
    reason: String? = nil
  ) {
    guard sentence != lastStatus else { return }
    lastStatus = sentence
    manager.status(sentence)
    say(priority, sentence, message, reason: reason)
  }

  /// Tells the mistakes in the settings, if there are any: at the start each costs the setting that
  /// it is in, and later none of the new settings is taken over.
  package func mistakes(
    _ complaints: [Complaint],
    atStart isStart: Bool,
    _ message: MessageID? = nil
  ) {
    guard !complaints.isEmpty else { return }
    let reason = Complaints(complaints).sentence
    let effect = isStart ? "left out" : "kept as they were"
    say(.warning, "Settings are \(effect): \(reason).", message, reason: reason)
  }

  /// One entry of the journal; on standard error the same line.
  package func say(
    _ priority: LogLevel,
    _ sentence: String,
    _ message: MessageID? = nil,
    reason: String? = nil,
    file: String = #fileID,
    line: Int = #line,
    function: String = #function
  ) {
    let isJournal = journal.destination == .journal
    journal.send(
      priority: priority,
      message: isJournal ? sentence : "\(program): \(sentence)",
      messageID: message,
      fields: [("BUS_REASON", reason ?? sentence)],
      at: SystemClock.monotonicMicroseconds(),
      file: file,
      line: line,
      function: function
    )
  }
}
