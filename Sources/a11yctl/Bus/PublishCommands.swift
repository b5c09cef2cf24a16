// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yPosix
import A11yWire

/// Publishes an announcement.
struct AnnounceCommand: Command {
  static let name = "announce"
  static let summary = "have a text announced"
  static let usage = "[OPTION]... TEXT"
  static let notes = "Publishes an announcement and prints its seq."
  static let options =
    [
      Flag("priority", "PRIORITY", "low, default or high"),
      Flag("class", "CLASS", "message, status, progress, timer, value, chat or hint"),
      Flag("key", "KEY", "of several that wait with one key the newest counts, see --class"),
      Flag("queue", nil, "wait for what is being spoken instead of cutting it"),
    ] + Publishing.options

  private let event: Event
  private let publishing: Publishing

  init(_ words: CommandWords) throws(Failure) {
    publishing = try Publishing(words, .announcement)
    guard !words.operands.isEmpty else {
      throw Failure(.usage, "The text is missing. Try: a11yctl announce \"Item was added\"")
    }
    if let word = words.value("class") { try RefusalWords.checkClass(word) }
    var event = Event.announcement(
      SpeechText(words.operands.joined(separator: " ")),
      priority: try words.choice("priority", AnnouncementPriority.self),
      kind: words.value("class").map { AnnouncementClass($0) },
      queue: words.has("queue") ? true : nil
    )
    if let key = words.value("key") { event = event.key(key) }
    self.event = event
  }

  func run(_ output: Output) throws(Failure) {
    try publishing.publish(event, type: EventType.announcement.rawValue, output)
  }
}

/// Publishes one event from the command line, or many from standard input.
struct PostCommand: Command {
  static let name = "post"
  static let summary = "publish events, from options or from standard input"
  static let usage = "--type TYPE [OPTION]...   or   a11yctl post [OPTION]... < EVENTS"
  static let notes = """
    Publishes an event and prints its seq. Without --type it reads events from standard input, each
    a JSON object on a line of its own; a refused one is told with its line, and the others go on.
    """
  static let options =
    [
      Flag("type", "TYPE", "what kind of event it is, as in announcement or layout-changed"),
      Flag("text", "TEXT", "what is to be spoken"),
      Flag("priority", "PRIORITY", "low, default or high"),
      Flag("window", "ID", "the window that it is about"),
      Flag("element", "ID", "the element that it is about"),
      Flag("key", "KEY", "of several that wait with one key the newest counts"),
      Flag("class", "CLASS", "what kind of news an announcement is"),
      Flag("mode", "MODE", "all, latest, latest-interrupt or current-then-latest"),
      Flag("cause", "CAUSE", "auto, user, or the seq of an action"),
      Flag("basis", "SEQ", "the focus entry that was seen last"),
      Flag("ttl", "MS", "worth nothing if not begun within so many milliseconds"),
      Flag("sensitive", nil, "keep the text out of the log"),
      Flag("field", "NAME=JSON", "any other field; may be repeated"),
    ] + Publishing.options

  private enum Source {
    case event(Event, type: String)
    case standardInput
  }

  private let source: Source
  private let publishing: Publishing

  init(_ words: CommandWords) throws(Failure) {
    // The type decides about the socket; for an unknown type the socket of apps will do.
    let named = words.value("type").flatMap { EventType(rawValue: $0) }
    publishing = try Publishing(words, named ?? .announcement)
    guard let type = words.value("type") else {
      try Self.checkInput(words)
      source = .standardInput
      return
    }
    try words.refuseOperands()
    try RefusalWords.checkType(type, among: RefusalWords.published)
    source = .event(try Self.event(type, words), type: type)
  }

  func run(_ output: Output) throws(Failure) {
    switch source {
    case .event(let event, let type): try publishing.publish(event, type: type, output)
    case .standardInput:
      var posting = Posting(publishing, output, input: FileDescriptor(adopting: 0))
      try posting.postAll()
    }
  }

  // MARK: The command line

  private static let texts = ["text", "priority", "class", "mode", "window", "element", "key"]
  private static let numbers = [("basis", "basis"), ("ttl", "ttl_ms")]

  static func event(_ type: String, _ words: CommandWords) throws(Failure) -> Event {
    var event = Event(type: type)
    for name in texts {
      if let text = words.value(name) { event = event.with(name, .string(text)) }
    }
    if let cause = words.value("cause") {
      event = event.with("cause", Int64(cause).map { .integer($0) } ?? .string(cause))
    }
    for (option, field) in numbers {
      if let number = try words.integer(option) { event = event.with(field, .integer(number)) }
    }
    if words.has("sensitive") { event = event.sensitive() }
    for field in words.values("field") ?? [] { event = try addField(field, to: event) }
    return event
  }

  private static func addField(_ field: String, to event: Event) throws(Failure) -> Event {
    let parts = field.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, let value = JSONValue(json: String(parts[1])) else {
      throw Failure(
        .usage,
        "--field expects a name and its value as JSON, as in modal=true or reader='\"Orca\"';"
          + " got \(field)"
      )
    }
    return event.with(String(parts[0]), value)
  }

  private static func checkInput(_ words: CommandWords) throws(Failure) {
    if let word = words.operands.first(where: { $0 != "-" }) {
      throw Failure(.usage, "\(word) is not expected here; events are read from standard input.")
    }
    let needsType = Self.options.dropLast(Publishing.options.count).map(\.name) + ["dedupe"]
    if let option = needsType.first(where: words.has) {
      throw Failure(
        .usage,
        "--\(option) needs --type; without it events are read from standard input."
      )
    }
  }
}

/// Publishing with its options, for all commands that publish.
struct Publishing {
  static let options = [
    Flag("app", "NAME", "publish under this name; without it only the user is known"),
    Flag("ack", "LEVEL", "wait until it is received, written or synced; written if not given"),
    Flag("dedupe", "KEY", "record it once, however often it is published with this key"),
    Flag("quiet", nil, "do not print the seq"),
  ]

  let path: String
  let app: String?
  let acknowledgement: AcknowledgementLevel?
  let dedupe: String?
  let isQuiet: Bool

  /// Options for events of this type.
  init(_ words: CommandWords, _ type: EventType) throws(Failure) {
    path = try words.socket(for: .publishing(type)).path
    app = words.value("app")
    acknowledgement = try words.choice("ack", AcknowledgementLevel.self)
    dedupe = words.value("dedupe")
    isQuiet = words.has("quiet")
  }

  /// A connection that has said hello and asks for advice.
  func connect() throws(ClientError) -> BusConnection {
    let bus = try BusConnection(path: path)
    try bus.hello(app: app, advice: true)
    return bus
  }

  /// Publishes one event of this type and shows the answer.
  func publish(_ event: Event, type: String, _ output: Output) throws(Failure) {
    let (receipt, complaints) = try asking(about: type) { () throws(ClientError) in
      let bus = try connect()
      let receipt = try bus.publish(event, ack: acknowledgement, dedupe: dedupe)
      return (receipt, bus.takeComplaints())
    }
    show(receipt, output)
    if let focus = receipt.focus, focus.result == "denied" {
      output.complain("The focus was not moved: \(focus.reason ?? "denied").")
    }
    show(complaints, output)
  }

  func show(_ receipt: Receipt, _ output: Output) {
    if !isQuiet { output.line(String(receipt.seq)) }
    for warning in receipt.warnings {
      let grounds = warning.field.map { "\(warning.code), \($0)" } ?? warning.code
      output.complain("Advice for seq \(receipt.seq) (\(grounds)): \(warning.message)")
    }
  }

  func show(_ complaints: [BusConnection.Complaint], _ output: Output) {
    for complaint in complaints {
      switch complaint {
      case .unknownFields(let names):
        output.complain("The bus does not know, and has ignored: \(names.joined(separator: ", ")).")
      case .advice(let warning): output.complain("Advice: \(warning.message)")
      case .lost(let error): output.complain("\(error)")
      case .refused(let refusal):
        output.complain(RefusalWords.sentence(RefusalWords.bus, refusal, type: nil))
      }
    }
  }
}

/// Publishes the lines of the standard input.
///
/// Lines that have come together are sent together, and their answers are awaited before more is
/// read: the seq of a typed line appears at once, and a file goes through in large strides.
struct Posting: ~Copyable {
  /// The bytes of one read: about as many as a pipe holds.
  private static let room = 65_536

  private let publishing: Publishing
  private let output: Output
  private let input: FileDescriptor
  private var bytes = ByteBuffer(capacity: room)
  private var splitter = LineSplitter(limit: A11yWire.Limits.lineBytes)
  private let reader = JSONReader(limit: A11yWire.Limits.lineBytes)
  private var number = 0
  private var refused = 0

  init(_ publishing: Publishing, _ output: Output, input: consuming FileDescriptor) {
    self.publishing = publishing
    self.output = output
    self.input = input
  }

  mutating func postAll() throws(Failure) {
    let bus = try asking { () throws(ClientError) in try publishing.connect() }
    while true {
      let hasEnded = try readMore()
      try publishLines(takeLines(hasEnded: hasEnded), bus)
      if hasEnded { break }
    }
    guard refused > 0 else { return }
    let lines = refused == 1 ? "1 line was" : "\(refused) lines were"
    throw Failure(.refused, "\(lines) refused.")
  }

  /// A line of the input: an event, or the mistake in it.
  private struct Line {
    let number: Int
    let content: Content
  }

  private enum Content {
    case event(Event, type: String?)
    case refused(RefusalCode, String)

    var event: Event? { if case .event(let event, _) = self { event } else { nil } }
  }

  /// Reads more; true at the end.
  private mutating func readMore() throws(Failure) -> Bool {
    do throws(Errno) {
      let before = bytes.count
      try bytes.append(room: Self.room) { room throws(Errno) in try input.read(into: room) }
      return bytes.count == before
    } catch {
      throw Failure(.inputOutput, "Reading the standard input failed: \(error).")
    }
  }

  private mutating func takeLines(hasEnded: Bool) -> [Line] {
    // The last line of a file may lack its newline.
    if hasEnded, !bytes.isEmpty { bytes.append("\n") }
    var lines: [Line] = []
    var start = 0
    while true {
      switch Self.step(&splitter, through: bytes, from: start) {
      case .line(let range, let next):
        start = next
        number += 1
        if let content = content(range) { lines.append(Line(number: number, content: content)) }
      case .tooLong(let next):
        start = next
        number += 1
        let words = "expected at most \(A11yWire.Limits.lineBytes) bytes"
        lines.append(Line(number: number, content: .refused(.lineTooLong, words)))
      case .incomplete(let from):
        bytes.removeFirst(from)
        return lines
      }
    }
  }

  /// The next step of the splitter.
  ///
  /// Static, because the compiler sees that two properties do not overlap only where each is passed
  /// by itself.
  private static func step(
    _ splitter: inout LineSplitter,
    through bytes: borrowing ByteBuffer,
    from start: Int
  ) -> LineSplitter.Step {
    splitter.step(bytes.bytes, from: start)
  }

  /// The content of a line; nil for a blank one.
  private func content(_ range: Range<Int>) -> Content? {
    let line = bytes.bytes.extracting(range)
    let text = line.string
    if text.allSatisfy(\.isWhitespace) { return nil }
    do throws(JSONFault) {
      try reader.read(line)
      return .event(Event(checked: text), type: reader.document.string("type", of: 0))
    } catch {
      return .refused(.jsonInvalid, error.words)
    }
  }

  private mutating func publishLines(_ lines: [Line], _ bus: BusConnection) throws(Failure) {
    let events = lines.compactMap(\.content.event)
    var results: [Result<Receipt, BusRefusal>]
    do throws(ClientError) {
      results = try bus.publish(all: events, ack: publishing.acknowledgement)
    } catch {
      let failure = Failure(error)
      let from = lines.first?.number ?? number
      throw Failure(
        failure.code,
        "\(failure.words ?? "") Lines from \(from) on may be on record or not."
      )
    }
    results.reverse()
    for line in lines {
      let subject = "Line \(line.number) was refused"
      switch line.content {
      case .refused(let code, let words):
        refuse(RefusalWords.sentence(subject, code.rawValue, words))
      case .event(_, let type):
        switch results.removeLast() {
        case .success(let receipt): publishing.show(receipt, output)
        case .failure(let refusal): refuse(RefusalWords.sentence(subject, refusal, type: type))
        }
      }
    }
    publishing.show(bus.takeComplaints(), output)
    try output.flush()
  }

  private mutating func refuse(_ sentence: String) {
    refused += 1
    output.complain(sentence)
  }
}
