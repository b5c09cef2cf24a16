// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yModel
public import A11yRules
public import A11yWire

// The presenter written down, so that another process can go on where this one was: the model
// apart, which is long and has a way of its own.
extension Presenter {
  /// Appends the presenter as lines of a `.state` file.
  ///
  /// Only between two steps. Decisions that are not on the log yet are in it, but for words: the
  /// readers that they were for are gone when somebody reads this.
  public func writeRecord(into out: inout ByteBuffer) {
    // Comes first, because the treatment of items follows from it.
    out.appendLine(Self.rulesPart) { rules.write(into: &$0) }
    for part in Self.parts { part.write(self, part.name, &out) }
  }

  /// Takes such a line back; false where it is none.
  public mutating func restore(_ line: JSONDocument) -> Bool {
    guard let state = line.member("state", of: line.root), line.kind(state) == .object,
      let presenter = line.member("presenter", of: state), line.kind(presenter) == .object,
      let name = line.string("part", of: presenter), let value = line.member("is", of: presenter)
    else { return model.restore(line) }
    if name == Self.rulesPart {
      guard let rules = RuleSet(line, value) else { return false }
      self.rules = rules
      return true
    }
    var scribe = Scribe(value, of: line, under: rules)
    // A part of the future is passed over.
    Self.parts.first { $0.name == name }?.restore(&self, &scribe)
    return scribe.isDone
  }

  private static let rulesPart = "rules"

  /// The parts of the record, in the order in which they are written.
  private static let parts: [RecordPart] = [
    RecordPart(
      "session",
      write: { presenter, name, out in
        var presenter = presenter
        out.appendLine(name) { presenter.recordSession(&$0) }
      },
      restore: { $0.recordSession(&$1) }
    ),
    .list("item", { presenter in presenter.waiting.seqs.compactMap { presenter.waiting[$0] } }) {
      (presenter, item: Item) in presenter.waiting.restore(item)
    },
    .value("reading", \.floor.readers.reading),
    .list("narrator", { presenter in presenter.floor.readers.narrators.sorted() }) {
      $0.floor.readers.narrators.insert($1)
    },
    .list("user", \.floor.readers.users) { $0.floor.readers.restore($1) },
    .value("speaking", \.floor.speaking),
    .list("cut", \.floor.cuts) { $0.floor.cuts.append($1) },
    .list("past", \.floor.past.all) { $0.floor.past.keep($1) },
    .list("served", \.floor.served) { $0.floor.served.append($1) },
    .list("loss", \.floor.outage.losses) { $0.floor.outage.losses.append($1) },
    .value("text", \.floor.lastText),
    .value("label", \.floor.lastLabel),
    .value("dialog", \.focus.dialog),
    .list("echo", \.floor.echoes.all) { $0.floor.echoes.keep($1) },
    // Decisions that were not written down yet, in their order; each has a part of its kind.
    RecordPart(
      "outcome",
      write: { presenter, _, out in
        for decision in presenter.decisions.unwritten { out.appendLine(of: decision) }
      },
      restore: { $0.decide(.outcome($1.read())) }
    ),
    RecordPart("focus") { $0.decide(.focus($1.read())) },
    RecordPart("gesture") { $0.decide(.gesture($1.read())) },
    RecordPart("calm") { presenter, _ in presenter.decide(.calm) },
    .list("action", { Array($0.actions.all) }) { $0.actions.note($1) },
    .list("pause", \.waiting.quiet.pauses) { $0.waiting.quiet.pauses.append($1) },
    .table("busy", \.pipeline.busy.rows),
    .table("storm", \.pipeline.storm.rows),
    .table("burst", \.pipeline.coalesce.rows),
    .table("memory", \.pipeline.duplicates.rows) { $0.recordedMemory },
    .table("bucket", \.pipeline.rate.rows),
    .table("wish", \.focus.wishes),
    .table("screen", \.focus.screens),
    RecordPart(
      "alarm",
      write: { presenter, name, out in
        for var alarm in presenter.recordedAlarms { out.appendLine(name) { alarm.record(&$0) } }
      },
      restore: { presenter, scribe in
        let recorded: RecordedAlarm = scribe.read()
        guard let alarm = recorded.alarm else { return }
        guard presenter.hasRow(of: alarm) else { return scribe.isBad = true }
        presenter.waiting.alarms.set(alarm, at: recorded.due, by: recorded.by)
      }
    ),
  ]

  private mutating func recordSession(_ scribe: inout Scribe) {
    scribe.transcribe(&now, &decisions.tickets, &pace.perCharacter, &pace.grace)
    scribe.transcribe(&pace.language, &pace.speaksHints, &pace.speaksStates, &focus.navigatedAt)
    scribe.transcribe(&focus.navigatedBy, &focus.movedAt, &focus.gestures, &focus.media)
    scribe.transcribe(&focus.owesSummary, &floor.readers, &waiting.quiet.pausedAt)
    scribe.transcribe(&waiting.quiet.disturbance)
  }

  /// Whether the row that an alarm is about is there, where it is about one.
  private func hasRow(of alarm: Alarms.Alarm) -> Bool {
    let count: Int
    switch alarm.kind {
    case .burst: count = pipeline.coalesce.rows.count
    case .bucket: count = pipeline.rate.rows.count
    case .storm: count = pipeline.storm.rows.count
    case .busy: count = pipeline.busy.rows.count
    default: return true
    }
    return (0..<Int64(count)).contains(alarm.number)
  }

  /// The alarms, those of rows by the order of the rows: places mean nothing to another process.
  private var recordedAlarms: [RecordedAlarm] {
    let orders = [
      Alarms.Alarm.Kind.burst: pipeline.coalesce.rows.orders,
      .bucket: pipeline.rate.rows.orders,
      .storm: pipeline.storm.rows.orders,
      .busy: pipeline.busy.rows.orders,
    ]
    return waiting.alarms.all.compactMap { alarm, due, by in
      guard let order = orders[alarm.kind] else {
        return RecordedAlarm(alarm, alarm.number, due, by)
      }
      return order[alarm.place].map { RecordedAlarm(alarm, $0, due, by) }
    }
  }
}

/// One part of the record: how its lines are written, and how one of them is taken back.
private struct RecordPart: Sendable {
  typealias Restore = @Sendable (inout Presenter, inout Scribe) -> Void

  let name: String
  let write: @Sendable (Presenter, _ name: String, inout ByteBuffer) -> Void
  let restore: Restore

  init(
    _ name: String,
    write: @escaping @Sendable (Presenter, String, inout ByteBuffer) -> Void,
    restore: @escaping Restore
  ) {
    self.name = name
    self.write = write
    self.restore = restore
  }

  /// One whose lines stand among those of another part.
  init(_ name: String, restore: @escaping Restore) {
    self.init(name, write: { _, _, _ in }, restore: restore)
  }

  /// A line for each of several values.
  static func list<Value: Recorded>(
    _ name: String,
    _ values: @escaping @Sendable (Presenter) -> [Value],
    restore: @escaping @Sendable (inout Presenter, Value) -> Void
  ) -> RecordPart {
    RecordPart(
      name,
      write: { presenter, name, out in
        for var value in values(presenter) { out.appendLine(name) { value.record(&$0) } }
      },
      restore: { restore(&$0, $1.read()) }
    )
  }

  /// A value, if it is there.
  static func value<Value: Recorded>(
    _ name: String,
    _ path: any WritableKeyPath<Presenter, Value?> & Sendable
  ) -> RecordPart {
    list(name, { $0[keyPath: path].map { [$0] } ?? [] }) { (presenter, value: Value) in
      presenter[keyPath: path] = value
    }
  }

  /// The rows of a table, the one that was not used for longest first; `recorded` where they are
  /// written down otherwise than they stand.
  static func table<Value: Recorded>(
    _ name: String,
    _ path: any WritableKeyPath<Presenter, BoundedTable<Key, Value>> & Sendable,
    recorded: (@Sendable (Presenter) -> BoundedTable<Key, Value>)? = nil
  ) -> RecordPart {
    list(
      name,
      { presenter in
        let table = recorded?(presenter) ?? presenter[keyPath: path]
        return table.inOrder.map { RecordedRow(key: table.key(at: $0), value: table[$0]) }
      }
    ) { $0[keyPath: path].restore($1.key, $1.value) }
  }
}

extension ByteBuffer {
  /// Appends a line of the record, which is sealed.
  fileprivate mutating func appendLine(_ part: String, _ value: (inout ByteBuffer) -> Void) {
    let start = count
    append("{\"state\":{\"presenter\":{")
    append(member: "part", part)
    append(member: "is")
    value(&self)
    append("}}")
    seal(from: start)
  }

  fileprivate mutating func appendLine(_ part: String, _ record: (inout Scribe) -> Void) {
    var scribe = Scribe()
    record(&scribe)
    appendLine(part) { scribe.appendList(to: &$0) }
  }

  fileprivate mutating func appendLine(of decision: Decision) {
    switch decision {
    case .outcome(var outcome): appendLine("outcome") { outcome.record(&$0) }
    case .focus(var move): appendLine("focus") { move.record(&$0) }
    case .gesture(var gesture): appendLine("gesture") { gesture.record(&$0) }
    case .calm: appendLine("calm") { (_: inout Scribe) in }
    case .deliver, .silence: break
    }
  }
}

extension BoundedTable {
  /// The order of each place, as a record has it.
  fileprivate var orders: [Int: Int64] {
    var orders: [Int: Int64] = [:]
    for (order, place) in inOrder.enumerated() { orders[place] = Int64(order) }
    return orders
  }
}

/// A row of a table with its key.
private struct RecordedRow<Value: Recorded>: Recorded {
  var key: Key
  var value: Value

  static var blank: Self { RecordedRow(key: .blank, value: .blank) }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&key, &value)
  }
}

// The state, as subscribers are told it.
extension Presenter {
  /// Appends the state as the protocol has it, right after the entry that `cursor` names: all of
  /// it, or as far as somebody may see it.
  public func writeState(
    cursor: Cursor,
    only confinement: Confinement?,
    into out: inout ByteBuffer
  ) {
    model.writeState(cursor: cursor, only: confinement, into: &out) {
      writePending(only: confinement, into: &$0)
    }
  }

  /// Lets go of apps that left so long ago.
  public mutating func expire(through now: Instant) { model.expire(through: now.microseconds) }

  /// Gives back some of the memory of what is gone.
  public mutating func freeDeferred() { model.freeDeferred() }

  /// Takes over what another presenter is made of, of which nobody is going to ask any more.
  public mutating func demolish(_ other: consuming Presenter) { model.demolish(other.model) }
}

// The assumptions about a reader in an entry `rules`; of the rest only what is unusual is said.
extension ReaderPace {
  public func write(into out: inout ByteBuffer) {
    out.append(member: "reader")
    out.append("{")
    out.append(member: "ms_per_char", perCharacter.wholeMilliseconds)
    out.append(member: "grace_ms", grace.wholeMilliseconds)
    if language != ReaderPace().language { out.append(member: "language", language.rawValue) }
    if !speaksHints { out.append(member: "hints", false) }
    if !speaksStates { out.append(member: "states", false) }
    out.append("}")
  }

  /// Takes over what an entry `rules` says of the reader.
  public mutating func take(_ event: borrowing WireEvent) {
    guard let reader = event.member(.reader) else { return }
    let entry = event.line
    self = ReaderPace()
    if let time = entry.integer("ms_per_char", of: reader).flatMap(Self.time) {
      perCharacter = time
    }
    if let time = entry.integer("grace_ms", of: reader).flatMap(Self.time) { grace = time }
    if let tag = entry.string("language", of: reader), let known = WordLanguage(rawValue: tag) {
      language = known
    }
    speaksHints = entry.member("hints", of: reader).map { entry.kind($0) == .yes } ?? true
    speaksStates = entry.member("states", of: reader).map { entry.kind($0) == .yes } ?? true
  }

  /// Nil for a time that no setting can be.
  private static func time(_ milliseconds: Int64) -> TimeSpan? {
    0...Times.longest.wholeMilliseconds ~= milliseconds ? .milliseconds(milliseconds) : nil
  }
}
