// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yBroker
internal import A11yModel
internal import A11yPresenter
package import A11yRules
package import A11yWire

/// The bus in virtual time: a script goes in, line by line, and the log comes out that the daemon
/// would have written.
///
/// It is the daemon's own broker that decides. Its clock is the script's; between two lines all
/// happens that is due, each thing at its own instant, and after the last one everything that is
/// left.
package struct Simulation: ~Copyable {
  /// The reader of the deliveries.
  package enum Reader: String, Sendable, CaseIterable {
    /// One that is there from the beginning and speaks everything.
    case auto
    /// The readers that the script brings, if any.
    case none
  }

  /// The same for every run: there is nothing behind it to be found again.
  package static let epoch = String(repeating: "0", count: 32)
  /// The user that the bus is of, and every connection for which the script names no other.
  package static let uid: UInt32 = 1_000
  /// The name of the reader that is there from the beginning.
  package static let readerName = "reader"

  private var broker: Broker
  private var turn = Turn()
  private var now: Int64 = 0
  private var witness: Witness
  /// The sessions that are connected, by the names that the script gives them.
  private var people: [Name: Session] = [:]
  private var readersSession: Session?
  private var lines: Int64 = 0
  /// How many lines of the script were refused.
  package private(set) var refusals: Int64 = 0

  // Each reads what is needed while another's line is at hand.
  private let scriptReader = JSONReader(limit: Limits.lineBytes)
  private let lineReader = JSONReader(limit: Limits.answerBytes)
  private var line = ByteBuffer(capacity: 1_024)

  /// Begins, up to the first line of a script.
  package init(rules: RuleSet, reader: Reader, into out: inout ByteBuffer) {
    guard let epoch = Epoch(hex: Self.epoch) else { preconditionFailure("zeros are hex") }
    let head = LogHead(
      epochs: [EpochStart(epoch: epoch, first: Seq(1))],
      first: Seq(1),
      last: .none
    )
    let past = Past()
    witness = Witness(past)
    broker = Broker(
      log: head,
      presenter: Presenter(rules: .defaults),
      uid: Self.uid,
      quotas: Quotas(),
      recall: { seq in past.entry(seq).map { .entry($0) } ?? .gone }
    )
    past.addSession(conn: 0, app: "a11yd", uid: Self.uid)
    beginTurn()
    broker.opened(LogOpening(), clock: BusClock(offset: 0), into: &turn)
    broker.load(rules, ReaderPace(), into: &turn)
    settle(nil, label: nil, into: &out)
    if reader == .auto { bringReader(into: &out) }
  }

  // MARK: Lines

  /// Takes the script's next line, without its end, and prints what comes of it.
  package mutating func take(_ text: Span<UInt8>, into out: inout ByteBuffer) {
    lines += 1
    if text.isBlank { return }
    do throws(Refusal) {
      try perform(text, into: &out)
    } catch {
      refuse(into: &out) { $0.appendRefusal(error) }
    }
  }

  /// Takes note of a line that is longer than any can be.
  package mutating func refuseTooLong(into out: inout ByteBuffer) {
    lines += 1
    refuse(into: &out) { $0.appendRefusal(Self.tooLong) }
  }

  private static var tooLong: Refusal {
    Refusal(.lineTooLong, "expected lines of at most \(Limits.lineBytes) bytes; passed over one")
  }

  /// Lets the clock run on until nothing is pending.
  package mutating func finish(into out: inout ByteBuffer) { run(until: .max, into: &out) }

  private mutating func perform(
    _ text: Span<UInt8>,
    into out: inout ByteBuffer
  ) throws(Refusal) {
    guard text.count <= Limits.lineBytes else { throw Self.tooLong }
    let reader = scriptReader
    do throws(JSONFault) {
      try reader.read(text)
    } catch {
      throw Refusal(.jsonInvalid, error.words)
    }
    let line = reader.document
    guard line.kind(line.root) == .object else {
      throw Refusal(.jsonInvalid, "expected an object")
    }
    let script = ScriptLine(line)
    let mono = try script.mono(line, notBefore: now)
    run(until: mono, into: &out)
    now = mono
    beginTurn()
    if let seat = script.seat {
      try change(seat, of: line, into: &out)
      return
    }
    let conn = try script.conn(line)
    let label = try script.label(line)
    if let label, witness.labels.has(label) {
      throw Refusal(.fieldInvalid, field: "label", "expected a new label; \"\(label)\" is taken")
    }
    switch try script.deed(line) {
    case .event(let event):
      try publish(event, script, line, conn, label, into: &out)
    case .hello(let hello):
      try greet(hello, script, line, conn, label, into: &out)
    case .gone:
      guard let session = people.removeValue(forKey: Name(line.string(conn))) else {
        throw Refusal(
          .fieldInvalid,
          field: "conn",
          "expected somebody who is connected; \(line.excerpt(conn)) is not"
        )
      }
      broker.disconnect(session, reason: "disconnected", into: &turn)
      settle(nil, label: label, into: &out)
    }
  }

  /// Has other users sit at the machine.
  private mutating func change(
    _ seat: JSONIndex,
    of line: JSONDocument,
    into out: inout ByteBuffer
  ) throws(Refusal) {
    guard line.kind(seat) == .object else {
      throw line.misfit("seat", expected: "an object", seat)
    }
    broker.change(Seat(of: seat, in: line), into: &turn)
    settle(nil, label: nil, into: &out)
  }

  /// Prints that a line was refused, and why.
  private mutating func refuse(into out: inout ByteBuffer, _ error: (inout ByteBuffer) -> Void) {
    refusals += 1
    var words = ByteBuffer(capacity: 256)
    error(&words)
    MarkForms.refused.write((lines, words.bytes.array), into: &out)
  }

  // MARK: Connections

  private mutating func greet(
    _ hello: JSONIndex,
    _ script: ScriptLine,
    _ line: JSONDocument,
    _ conn: JSONIndex,
    _ label: String?,
    into out: inout ByteBuffer
  ) throws(Refusal) {
    let greeting = try Greeting(hello, in: line)
    let session = try session(
      line.string(conn),
      uid: script.uid(line) ?? greeting.uid,
      role: greeting.role ?? .bus
    )
    if let role = greeting.role, role != session.role {
      throw Refusal(
        .fieldInvalid,
        field: "hello.role",
        "expected hello first; \(line.excerpt(conn)) is on the \(session.role.rawValue) socket "
          + "already"
      )
    }
    self.line.clear()
    greeting.writeHello(line, into: &self.line)
    guard ask(session, into: &out) else { return }
    if session.isReader {
      self.line.clear()
      self.line.append("{\"op\":\"subscribe\"}")
      guard ask(session, into: &out) else { return }
    }
    settle(nil, label: label, into: &out)
  }

  /// Has the broker take the request in `line`; false where it was refused, which is printed.
  private mutating func ask(_ session: Session, into out: inout ByteBuffer) -> Bool {
    let request = line.bytes.array
    broker.receive(request.span, from: session, into: &turn)
    if let error = turn.refusal {
      settle(nil, label: nil, into: &out)
      refuse(into: &out) { $0.append(error.span) }
      return false
    }
    witness.past.addSession(conn: session.conn, app: session.app, uid: session.uid)
    return true
  }

  /// The session with this name; a new connection where there is none.
  private mutating func session(
    _ name: String,
    uid: UInt32?,
    role: Role
  ) throws(Refusal) -> Session {
    if let known = people[Name(name)] {
      guard let uid, uid != known.uid else { return known }
      throw Refusal(
        .fieldInvalid,
        field: "uid",
        "expected the user that the connection belongs to, \(known.uid); got \(uid)"
      )
    }
    let session = broker.connect(uid: uid ?? Self.uid, role: role)
    people[Name(name)] = session
    witness.past.addSession(conn: session.conn, app: session.app, uid: session.uid)
    return session
  }

  private mutating func bringReader(into out: inout ByteBuffer) {
    let session = broker.connect(uid: Self.uid, role: .read)
    readersSession = session
    witness.reader = AutoReader(conn: session.conn)
    beginTurn()
    line.clear()
    line.append("{\"op\":\"hello\",\"app\":\"")
    line.append(text: Self.readerName)
    line.append("\",\"role\":\"reader\"}")
    _ = ask(session, into: &out)
    line.clear()
    line.append("{\"op\":\"subscribe\"}")
    _ = ask(session, into: &out)
    settle(nil, label: nil, into: &out)
  }

  // MARK: Events

  private mutating func publish(
    _ event: JSONIndex,
    _ script: ScriptLine,
    _ line: JSONDocument,
    _ conn: JSONIndex,
    _ label: String?,
    into out: inout ByteBuffer
  ) throws(Refusal) {
    let session = try session(line.string(conn), uid: script.uid(line), role: .bus)
    let published: Witness.Published?
    if line.hasReferences(event) {
      self.line.clear()
      self.line.append("{\"event\":")
      try writeEvent(event, of: line)
      if let dedupe = script.dedupe {
        self.line.append(",\"dedupe\":")
        line.copyAll(dedupe, into: &self.line)
      }
      if let acknowledgement = script.acknowledgement {
        self.line.append(",\"ack\":")
        line.copyAll(acknowledgement, into: &self.line)
      }
      self.line.append("}")
      published = try publishLine(from: session, label)
    } else {
      published = try publish(
        event,
        acknowledgement: script.acknowledgement,
        dedupe: script.dedupe,
        of: line,
        from: session,
        label
      )
    }
    settle(published, label: published == nil ? nil : label, into: &out)
  }

  /// Writes an event with seqs in the place of labels.
  private mutating func writeEvent(_ event: JSONIndex, of line: JSONDocument) throws(Refusal) {
    self.line.append("{")
    var key = event + 1
    while key < line.end(event) {
      if key > event + 1 { self.line.append(",") }
      line.copy(key, into: &self.line)
      self.line.append(":")
      if Labels.isReference(key, in: line) {
        self.line.append(decimal: try witness.labels.seq(key, in: line).number)
      } else {
        line.copyAll(key + 1, into: &self.line)
      }
      key = line.end(key + 1)
    }
    self.line.append("}")
  }

  /// Publishes what stands in `line`.
  private mutating func publishLine(
    from session: Session,
    _ label: String? = nil
  ) throws(Refusal) -> Witness.Published? {
    let reader = lineReader
    do throws(JSONFault) {
      try reader.read(line.bytes)
    } catch {
      throw Refusal(.jsonInvalid, error.words)
    }
    let line = reader.document
    let script = ScriptLine(line)
    guard let event = script.event else { preconditionFailure("it was written there") }
    return try publish(
      event,
      acknowledgement: script.acknowledgement,
      dedupe: script.dedupe,
      of: line,
      from: session,
      label
    )
  }

  /// Publishes an event; nil where it was there already.
  private mutating func publish(
    _ event: JSONIndex,
    acknowledgement: JSONIndex?,
    dedupe: JSONIndex?,
    of line: JSONDocument,
    from session: Session,
    _ label: String?
  ) throws(Refusal) -> Witness.Published? {
    let last = broker.head.last
    let (seq, type) = try broker.publish(
      event,
      acknowledgement: acknowledgement,
      dedupe: dedupe,
      of: line,
      from: session,
      into: &turn
    )
    if let label { witness.labels.name(seq, label) }
    guard seq > last else { return nil }
    return Witness.Published(seq: seq, conn: session.conn, type: type)
  }

  // MARK: Time

  private var stamp: Stamp { Stamp(time: now, mono: now) }

  private mutating func beginTurn() { broker.begin(&turn, at: stamp) }

  /// Lets happen what is due by then: alarms before the reader's words of the same instant.
  private mutating func run(until limit: Int64, into out: inout ByteBuffer) {
    while true {
      let alarm = broker.due ?? .max
      let speech = witness.reader?.due ?? .max
      let next = min(alarm, speech)
      guard next <= limit, next < .max else { return }
      now = max(now, next)
      if alarm <= speech {
        beginTurn()
        settle(nil, label: nil, into: &out)
      } else if let report = witness.reader?.finish() {
        say(report, into: &out)
        listen(into: &out)
      }
    }
  }

  // MARK: The reader

  /// Lets the reader say what it has to say at once.
  private mutating func listen(into out: inout ByteBuffer) {
    while let report = witness.reader?.next() { say(report, into: &out) }
  }

  private mutating func say(_ report: AutoReader.Report, into out: inout ByteBuffer) {
    guard let session = readersSession else { return }
    beginTurn()
    line.clear()
    line.append("{\"event\":")
    report.write(into: &line)
    line.append("}")
    do throws(Refusal) {
      let published = try publishLine(from: session)
      witness.observe(turn, published, label: nil, into: &out)
    } catch {
      preconditionFailure("a report of what was delivered is never refused: \(error.message)")
    }
  }

  // MARK: What is printed

  /// Prints what the turn has brought, and has the reader act on it.
  private mutating func settle(
    _ published: Witness.Published?,
    label: String?,
    into out: inout ByteBuffer
  ) {
    witness.observe(turn, published, label: label, into: &out)
    listen(into: &out)
  }
}

extension Turn {
  /// Why the last request was refused, if it was.
  fileprivate var refusal: [UInt8]? {
    guard let reply = replies.last, case .lines = reply.content else { return nil }
    let line = words.bytes.extracting(reply.words)
    let opening: StaticString = "{\"id\":null,\"err\":"
    let width = opening.utf8CodeUnitCount
    guard line.count > width, line.extracting(0..<width).equals(opening) else { return nil }
    return line.extracting(width..<line.count - 2).array
  }
}

extension JSONDocument {
  /// Whether an event names lines of the script where it means their seqs.
  fileprivate func hasReferences(_ event: JSONIndex) -> Bool {
    guard kind(event) == .object else { return false }
    var key = event + 1
    while key < end(event) {
      if Labels.isReference(key, in: self) { return true }
      key = end(key + 1)
    }
    return false
  }
}

/// The output of a script whose lines are all at hand.
package struct Performance: Equatable, Sendable {
  /// The lines that were printed, without their ends.
  package let lines: [String]
  package let exitCode: Int32

  /// The exit code of a program that has refused lines of its input.
  package static let refused: Int32 = 65

  package init(_ script: [String], rules: RuleSet, reader: Simulation.Reader) {
    var out = ByteBuffer(capacity: 65_536)
    var simulation = Simulation(rules: rules, reader: reader, into: &out)
    for line in script { simulation.take(Array(line.utf8).span, into: &out) }
    simulation.finish(into: &out)
    lines = out.bytes.string.split(separator: "\n").map(String.init)
    exitCode = simulation.refusals == 0 ? 0 : Self.refused
  }
}
