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

  @Operands private var words: [String]
  @Option("priority", "PRIORITY", "low, default or high", as: .word)
  private var priority: AnnouncementPriority?
  @Option(
    "class",
    "CLASS",
    "message, status, progress, timer, value, chat or hint",
    as: .speechClass
  )
  private var speechClass: String?
  @Option("key", "KEY", "of several that wait with one key the newest counts, see --class")
  private var key: String?
  @Flag("queue", "wait for what is being spoken instead of cutting it") private var queues: Bool
  let publishing = Publishing()

  func run(_ output: Output) throws(Failure) {
    guard !words.isEmpty else {
      throw Failure(.usage, "The text is missing. Try: a11yctl announce \"Item was added\"")
    }
    var event = Event.announcement(
      SpeechText(words.joined(separator: " ")),
      priority: priority,
      kind: speechClass.map { AnnouncementClass($0) },
      queue: queues ? true : nil
    )
    if let key { event = event.key(key) }
    try publishing.publish(event, type: EventType.announcement.rawValue, output)
  }
}

/// Publishes one event from the command line, or many from standard input.
struct PostCommand: Command {
  static let name = "post"
  static let summary = "publish events, from options or from standard input"
  static let usage = "--type TYPE [OPTION]...\n[OPTION]... < EVENTS"
  static let notes = """
    Publishes an event and prints its seq. Without --type it reads events from standard input, each
    a JSON object on a line of its own; a refused one is told with its line, and the others go on.
    """

  @Operands private var words: [String]
  @Option(
    "type",
    "TYPE",
    "what kind of event it is, as in announcement or layout-changed",
    as: .publishedType
  )
  private var type: String?
  private let fields = EventFields()
  let publishing = Publishing()

  func run(_ output: Output) throws(Failure) {
    guard let type else { return try postInput(output) }
    try words.refuse(behind: 0)
    try publishing.publish(event(type), type: type, output)
  }

  /// The event that the options describe.
  func event(_ type: String) throws(Failure) -> Event {
    try fields.added(to: Event(type: type))
  }

  private func postInput(_ output: Output) throws(Failure) {
    if let word = words.first(where: { $0 != "-" }) {
      throw Failure(.usage, "\(word) is not expected here; events are read from standard input.")
    }
    if let option = fields.given ?? (publishing.dedupe == nil ? nil : "dedupe") {
      throw Failure(
        .usage,
        "--\(option) needs --type; without it events are read from standard input."
      )
    }
    var posting = Posting(publishing, output, input: FileDescriptor(adopting: 0))
    try posting.postAll()
  }
}

/// The fields of one event.
private struct EventFields: OptionGroup {
  @Option("text", "TEXT", "what is to be spoken") private var text: String?
  @Option("priority", "PRIORITY", "low, default or high", as: .text(like: Self.priorities))
  private var priority: String?
  @Option("window", "ID", "the window that it is about") private var window: String?
  @Option("element", "ID", "the element that it is about") private var element: String?
  @Option("key", "KEY", "of several that wait with one key the newest counts")
  private var key: String?
  @Option(
    "class",
    "CLASS",
    "what kind of news an announcement is",
    as: .text(like: Form<String>.speechClass.words)
  )
  private var speechClass: String?
  @Option(
    "mode",
    "MODE",
    "all, latest, latest-interrupt or current-then-latest",
    as: .text(like: AnnouncementMode.allCases.map(\.rawValue))
  )
  private var mode: String?
  @Option("cause", "CAUSE", "auto, user, or the seq of an action") private var cause: String?
  @Option("basis", "SEQ", "the focus entry that was seen last", as: .number())
  private var basis: Int64?
  @Option("ttl", "MS", "worth nothing if not begun within so many milliseconds", as: .number())
  private var ttl: Int64?
  @Flag("sensitive", "keep the text out of the log") private var isSensitive: Bool
  @Repeated("field", "NAME=JSON", "any other field; may be repeated") private var others: [String]?

  private static let priorities = AnnouncementPriority.allCases.map(\.rawValue)

  /// The name of the first option that was given.
  var given: String? { Arguments.options(of: self).first(where: \.isGiven)?.name }

  func added(to event: Event) throws(Failure) -> Event {
    let texts = [
      ("text", text), ("priority", priority), ("class", speechClass), ("mode", mode),
      ("window", window), ("element", element), ("key", key),
    ]
    var event = event
    for case (let name, let text?) in texts { event = event.with(name, .string(text)) }
    if let cause {
      event = event.with("cause", Int64(cause).map { .integer($0) } ?? .string(cause))
    }
    for case (let name, let number?) in [("basis", basis), ("ttl_ms", ttl)] {
      event = event.with(name, .integer(number))
    }
    if isSensitive { event = event.sensitive() }
    for field in others ?? [] { event = try Self.addField(field, to: event) }
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
}

/// Publishing with its options, for all commands that publish.
struct Publishing: OptionGroup {
  @Option("app", "NAME", "publish under this name; without it only the user is known")
  private var app: String?
  @Option(
    "ack",
    "LEVEL",
    "wait until it is received, written or synced; written if not given",
    as: .word
  )
  var acknowledgement: AcknowledgementLevel?
  @Option("dedupe", "KEY", "record it once, however often it is published with this key")
  var dedupe: String?
  @Flag("quiet", "do not print the seq") private var isQuiet: Bool
  private let bus = BusSocket()

  /// The socket for an event of this type; for an unknown type, or many events, that of apps.
  func path(for type: String?) throws(Failure) -> String {
    let known = type.flatMap { EventType(rawValue: $0) }
    return try bus(for: .publishing(known ?? .announcement))
  }

  /// A connection that has said hello and asks for advice.
  func connect(_ path: String) throws(ClientError) -> BusConnection {
    let bus = try BusConnection(path: path)
    try bus.hello(app: app, advice: true)
    return bus
  }

  /// Publishes one event of this type and shows the answer.
  func publish(_ event: Event, type: String, _ output: Output) throws(Failure) {
    let path = try path(for: type)
    let (receipt, complaints) = try asking(about: type) { () throws(ClientError) in
      let bus = try connect(path)
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
    let path = try publishing.path(for: nil)
    let bus = try asking { () throws(ClientError) in try publishing.connect(path) }
    while true {
      let hasEnded = try readMore()
      try publishLines(takeLines(hasEnded: hasEnded), bus)
      if hasEnded { break }
    }
    guard refused > 0 else { return }
    let lines = refused.counted("line", "was")
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
