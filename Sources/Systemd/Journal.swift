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

/// One entry of the log, before anybody has decided where it goes.
package struct JournalEntry {
  package var priority: LogLevel
  package var message: String
  package var messageID: MessageID?
  /// Fields of our own, with their full names ("BUS_SEQ").
  package var fields: [(name: String, value: String)]
  package var place: SourcePlace

  package init(
    priority: LogLevel,
    message: String,
    messageID: MessageID?,
    fields: [(name: String, value: String)],
    place: SourcePlace
  ) {
    for field in fields {
      precondition(JournalEntry.isOurs(field.name), "our fields are BUS_ and capital letters")
    }
    self.priority = priority
    self.message = message
    self.messageID = messageID
    self.fields = fields
    self.place = place
  }

  /// The entry as the journal takes it: one "NAME=value" for each field, values as they are.
  package var items: [String] {
    var items = ["MESSAGE=\(message)", "PRIORITY=\(priority.rawValue)"]
    if let messageID { items.append("MESSAGE_ID=\(messageID.digits)") }
    items.append("CODE_FILE=\(place.file)")
    items.append("CODE_LINE=\(place.line)")
    items.append("CODE_FUNC=\(place.function)")
    for field in fields { items.append("\(field.name)=\(field.value)") }
    return items
  }

  /// The entry as one line of text, led by the priority where the reader understands that.
  package func line(prefixed: Bool) -> String {
    let text = VisibleText.of(message)
    return prefixed ? "<\(priority.rawValue)>\(text)\n" : "\(text)\n"
  }

  /// At most 64 of A-Z and "_" within our own prefix.
  ///
  /// The journal allows digits too, but does not
  /// replace a name with one in the text of a catalog.
  private static func isOurs(_ name: String) -> Bool {
    guard name.hasPrefix("BUS_"), name.utf8.count <= 64 else { return false }
    return name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      default: byte == UInt8(ascii: "_")
      }
    }
  }
}

/// The place in the source at which an entry is written.
package struct SourcePlace: Hashable, Sendable {
  package let file: String
  package let line: Int
  package let function: String

  package init(file: String, line: Int, function: String) {
    self.file = file
    self.line = line
    self.function = function
  }
}

/// The journal's own entrance, for entries with fields.
///
/// `sd_journal_send` waits while the journal's queue is full, and a stuck journal would stop the
/// bus. So the entry goes out from here, in the journal's native format, at once or not at all.
package struct JournalSocket: ~Copyable {
  package static let path = "/run/systemd/journal/socket"

  private let socket: UnixDatagram

  /// Throws where there is no journal.
  package init(path: String) throws(Errno) {
    _ = try FileIdentity(path: path)
    socket = try UnixDatagram(to: path)
  }

  /// Sends one "NAME=value" for each field and says whether the journal took them.
  package borrowing func send(_ items: [String]) -> Bool {
    do throws(Errno) {
      let datagram = Self.datagram(items)
      try socket.send(datagram.span)
      return true
    } catch {
      return false
    }
  }

  /// A line for each field; one whose value has lines of its own states its length instead.
  package static func datagram(_ items: [String]) -> [UInt8] {
    var bytes: [UInt8] = []
    let newline = UInt8(ascii: "\n")
    for item in items {
      let item = item.utf8
      if !item.contains(newline) {
        bytes += item
      } else if let equals = item.firstIndex(of: UInt8(ascii: "=")) {
        let value = item[item.index(after: equals)...]
        bytes += item[..<equals]
        bytes.append(newline)
        withUnsafeBytes(of: UInt64(value.count).littleEndian) { bytes += $0 }
        bytes += value
      }
      bytes.append(newline)
    }
    return bytes
  }
}

/// How much an entry matters, by syslog's numbers: the lower, the graver.
package enum LogLevel: Int, CaseIterable, Sendable {
  case error = 3
  case warning = 4
  case notice = 5
  case info = 6
  case debug = 7

  /// The word for it in the configuration and on the command line.
  package var name: String {
    switch self {
    case .error: "error"
    case .warning: "warning"
    case .notice: "notice"
    case .info: "info"
    case .debug: "debug"
    }
  }

  package init?(name: String) {
    guard let level = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = level
  }

  /// Whether an entry of this level is grave enough for a threshold.
  package func reaches(_ threshold: LogLevel) -> Bool { rawValue <= threshold.rawValue }
}

/// The kind of an entry, for the journal's catalog and for filters: 128 bits in 32 lower-case
/// hexadecimal digits.
package struct MessageID: Hashable, Sendable {
  package let digits: String

  package init(_ digits: String) {
    let isWellFormed = digits.utf8.count == 32 && digits.utf8.allSatisfy(MessageID.isDigit)
    precondition(isWellFormed, "a message id is 32 lower-case hexadecimal digits")
    self.digits = digits
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
    default: false
    }
  }
}

/// Keeps one cause from filling the log.
///
/// Ten entries of a kind within thirty seconds show all there is to see; the rest are counted, and
/// the count is told when the kind is next let through. The journal would drop too, above 10,000
/// entries of a service in the same time, but whatever comes, and the one that mattered with it.
package struct RateLimit {
  package static let burst = 10
  package static let windowMicroseconds: UInt64 = 30_000_000

  /// The kind of an entry, or the place of one without a kind.
  ///
  /// Both are written in the program, which bounds the table below.
  package enum Cause: Hashable {
    case message(MessageID)
    case place(SourcePlace)
  }

  package enum Verdict: Equatable {
    /// Let it through; this many were held back before it.
    case pass(suppressed: Int)
    case suppress
  }

  private struct Window {
    let began: UInt64
    var count: Int
  }

  private var windows: [Cause: Window] = [:]

  package init() {}

  /// Decides on an entry at a time in microseconds.
  package mutating func judge(_ cause: Cause, at now: UInt64) -> Verdict {
    guard var window = windows[cause] else { return open(cause, at: now, suppressed: 0) }
    guard now < window.began || now - window.began < RateLimit.windowMicroseconds else {
      return open(cause, at: now, suppressed: max(0, window.count - RateLimit.burst))
    }
    window.count += 1
    windows[cause] = window
    return window.count <= RateLimit.burst ? .pass(suppressed: 0) : .suppress
  }

  private mutating func open(_ cause: Cause, at now: UInt64, suppressed: Int) -> Verdict {
    windows[cause] = Window(began: now, count: 1)
    return .pass(suppressed: suppressed)
  }
}
