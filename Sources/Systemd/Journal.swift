// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix

/// The destination of the program's log.
///
/// Under systemd entries go to the journal with their fields; elsewhere the same entries become
/// lines on standard error. Either way an entry below the threshold costs nothing and a repeated
/// one is limited. While the destination has no room entries are lost rather than the loop stopped;
/// it is told how many as soon as it has room again.
package final class Journal {
  /// The least that is logged; a reload may change it.
  package var threshold: LogLevel
  package let destination: Destination
  private let socket: JournalSocket?
  private let outlet: Outlet
  private var limit = RateLimit()
  private var lost = 0

  /// Opens the destination; a journal that is not there becomes lines with priorities, which its
  /// stream understands too.
  package init(
    to destination: Destination,
    threshold: LogLevel,
    outlet: Outlet = .standardError
  ) {
    self.threshold = threshold
    self.outlet = outlet
    switch destination {
    case .standardError:
      socket = nil
      self.destination = destination
    case .journal:
      if let opened = try? JournalSocket(path: JournalSocket.path) {
        socket = consume opened
        self.destination = .journal
      } else {
        socket = nil
        self.destination = .standardError(prefixed: true)
      }
    }
  }

  /// Logs an entry at a time in microseconds, of a clock that does not jump.
  package func send(
    priority: LogLevel,
    message: @autoclosure () -> String,
    messageID: MessageID?,
    fields: [(name: String, value: String)],
    at now: UInt64,
    file: String = #fileID,
    line: Int = #line,
    function: String = #function
  ) {
    guard priority.reaches(threshold) else { return }
    let place = SourcePlace(file: file, line: line, function: function)
    let cause = messageID.map(RateLimit.Cause.message) ?? .place(place)
    guard case .pass(let suppressed) = limit.judge(cause, at: now) else { return }

    let entry = JournalEntry(
      priority: priority,
      message: message(),
      messageID: messageID,
      fields: fields,
      place: place
    )
    if suppressed > 0 { deliver(suppressionNote(of: suppressed, before: entry)) }
    deliver(entry)
  }

  /// Says something on standard error, whatever the destination of entries is.
  package func say(_ line: String) { _ = outlet.offer(line) }

  private func suppressionNote(of suppressed: Int, before entry: JournalEntry) -> JournalEntry {
    JournalEntry(
      priority: entry.priority,
      message: "\(suppressed) more suppressed",
      messageID: entry.messageID,
      fields: [("BUS_SUPPRESSED", String(suppressed))],
      place: entry.place
    )
  }

  private func deliver(_ entry: JournalEntry) {
    if lost > 0, put(lossNote(of: lost, before: entry)) { lost = 0 }
    if lost > 0 || !put(entry) { lost += 1 }
  }

  private func lossNote(of count: Int, before entry: JournalEntry) -> JournalEntry {
    JournalEntry(
      priority: .warning,
      message: "\(count) entries lost while nothing took them",
      messageID: nil,
      fields: [("BUS_LOST", String(count))],
      place: entry.place
    )
  }

  /// Whether there was room for it.
  private func put(_ entry: JournalEntry) -> Bool {
    switch destination {
    case .standardError(let prefixed): outlet.offer(entry.line(prefixed: prefixed))
    case .journal: socket?.send(entry.items) ?? true
    }
  }
}

extension Journal {
  /// The reader of the entries.
  package enum Destination: Equatable, Sendable {
    case journal
    /// Lines, with "<N>" before them when the reader sorts by priority.
    case standardError(prefixed: Bool)

    /// The journal exactly when standard error leads there.
    ///
    /// The manager names the stream it gave us by device and inode; comparing tells whether
    /// standard error has been redirected since, to a file or a terminal that somebody watches.
    package static func chosen(
      stream: String?,
      standardError: FileIdentity?,
      prefixed: Bool
    ) -> Destination {
      guard let stream, let standardError else { return .standardError(prefixed: prefixed) }
      let isJournal = stream == "\(standardError.device):\(standardError.inode)"
      return isJournal ? .journal : .standardError(prefixed: prefixed)
    }

    /// The destination of this process.
    package static func current(prefixed: Bool) -> Destination {
      chosen(
        stream: Environment.value("JOURNAL_STREAM"),
        standardError: try? FileIdentity(descriptor: 2),
        prefixed: prefixed
      )
    }
  }
}
