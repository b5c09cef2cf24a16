// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yPresenter
package import A11yRules
internal import A11yWire

// From a line that is JSON to the reply: who asks, what is asked, may it be asked.
extension Broker {
  mutating func answer(_ line: JSONDocument, _ session: Session, into turn: inout Turn) {
    counters.requests += 1
    unknown.removeAll(keepingCapacity: true)
    var id = 0..<0
    do throws(Refusal) {
      let head = line.requestHead
      id = try quoteID(head.id, of: line, into: &turn)
      try perform(line, head, id, session, into: &turn)
    } catch {
      warn(session, id, into: &turn)
      refuse(error, id: id, session, into: &turn)
    }
    session.hasSpoken = true
  }

  private mutating func perform(
    _ line: JSONDocument,
    _ head: RequestHead,
    _ id: Range<Int>,
    _ session: Session,
    into turn: inout Turn
  ) throws(Refusal) {
    let operation = try operation(head.operation, of: line, session.role)
    switch operation {
    case .publish: try publish(line, head, id, session, into: &turn)
    case .hello: try hello(line, id, session, into: &turn)
    case .subscribe: try subscribe(line, id, session, into: &turn)
    case .state: try state(line, id, session, into: &turn)
    case .explain: try explain(line, id, session, into: &turn)
    case .forget: try forget(line, id, session, into: &turn)
    case .unsubscribe, .ping, .stats, .describe, .rules, .reload:
      let fields = Schema.request(operation)
      _ = line.slots(of: line.root, fields, unknown: &unknown)
      warn(session, id, into: &turn)
      answer(operation, id, session, into: &turn)
    }
  }

  /// The operations that need nothing but their name.
  private mutating func answer(
    _ operation: Operation,
    _ id: Range<Int>,
    _ session: Session,
    into turn: inout Turn
  ) {
    switch operation {
    case .unsubscribe:
      unsubscribe(session, into: &turn)
      reply(id, into: &turn) { _ in }
    case .ping:
      turn.replies.append(Reply(content: .ping, words: id))
    case .stats:
      turn.replies.append(Reply(content: .stats, words: id))
      turn.statistics += 1
    case .describe:
      let quotas = self.quotas
      reply(id, into: &turn) { AnswerSchemas.writeAnswer(quotas, into: &$0) }
    case .rules:
      let rules = self.rules
      let pace = presenter.pace
      reply(id, into: &turn) {
        rules.writeAnswer(into: &$0)
        pace.write(into: &$0)
      }
    case .reload:
      session.errand = .reload(id: turn.words.bytes.extracting(id).array)
    case .publish, .hello, .subscribe, .state, .explain, .forget:
      preconditionFailure("operations with fields are answered where their fields are read")
    }
  }

  /// Where the fields of a request are, each of them checked.
  mutating func checkedFields(
    of operation: Operation,
    in line: JSONDocument
  ) throws(Refusal) -> Slots {
    let fields = Schema.request(operation)
    let slots = line.slots(of: line.root, fields, unknown: &unknown)
    try line.checkPresence(fields, slots)
    for index in fields.all.indices {
      guard let value = slots[index] else { continue }
      try line.check(value, fields.all[index], unknown: &unknown)
    }
    return slots
  }

  private func denied(_ operation: Operation, _ role: Role) -> Refusal {
    Refusal(
      .roleDenied,
      field: "op",
      "\(operation.rawValue) is not for the \(role.rawValue) socket, but for "
        + Role.named { $0.mayAsk(operation) }
    )
  }

  /// The operation that a line asks for, if its socket is for it.
  private func operation(
    _ name: JSONIndex?,
    of line: JSONDocument,
    _ role: Role
  ) throws(Refusal) -> Operation {
    guard let name else {
      throw Refusal(
        .fieldMissing,
        field: "op",
        "expected \(Operation.allCases.map(\.rawValue).joined(separator: ", "))"
      )
    }
    guard line.kind(name) == .string else {
      throw Refusal(
        .fieldInvalid,
        field: "op",
        "expected the name of an operation; got \(line.excerpt(name))"
      )
    }
    let known =
      line.isEscaped(name) ? Operation(rawValue: line.string(name)) : Operation(line.raw(name))
    guard let operation = known else {
      throw Refusal(
        .opUnknown,
        field: "op",
        "expected \(Operation.allCases.map(\.rawValue).joined(separator: ", "));"
          + " got \(line.excerpt(name))"
      )
    }
    guard role.mayAsk(operation) else { throw denied(operation, role) }
    return operation
  }

  /// Keeps the id as it was written, to be echoed; nothing where there is none.
  private func quoteID(
    _ id: JSONIndex?,
    of line: JSONDocument,
    into turn: inout Turn
  ) throws(Refusal) -> Range<Int> {
    guard let id, line.kind(id) != .null else { return 0..<0 }
    let start = turn.words.count
    if line.integer(id) != nil {
      turn.words.append(line.raw(id))
      return start..<turn.words.count
    }
    guard line.admits(id, .name(bytes: Limits.idBytes)) else {
      throw Refusal(
        .fieldInvalid,
        field: "id",
        "expected a string of 1 to \(Limits.idBytes) bytes or an integer;"
          + " got \(line.excerpt(id))"
      )
    }
    line.copy(id, into: &turn.words)
    return start..<turn.words.count
  }

  // MARK: Replies

  /// Answers `{"id":…,"ok":{…}}`, or nothing where there is no id.
  mutating func reply(
    _ id: Range<Int>,
    into turn: inout Turn,
    _ members: (inout ByteBuffer) -> Void
  ) {
    guard !id.isEmpty else { return }
    let start = turn.words.count
    turn.words.object { out in
      out.append(member: "id")
      out.copyWithin(id)
      out.object("ok", members)
    }
    turn.words.append("\n")
    turn.replies.append(Reply(content: .lines, words: start..<turn.words.count))
  }

  mutating func refuse(
    _ refusal: Refusal,
    id: Range<Int>,
    _ session: Session,
    into turn: inout Turn
  ) {
    counters.refused[refusal.code, default: 0] += 1
    session.tally.refused += 1
    let start = turn.words.count
    turn.words.object { out in
      out.append(member: "id")
      if id.isEmpty { out.append("null") } else { out.copyWithin(id) }
      out.append(member: "err")
      out.appendRefusal(refusal)
    }
    turn.words.append("\n")
    turn.replies.append(Reply(content: .lines, words: start..<turn.words.count))
  }

  /// Names the fields of a request that nobody knows, each once per connection.
  mutating func warn(_ session: Session, _ id: Range<Int>, into turn: inout Turn) {
    guard !unknown.isEmpty else { return }
    var fresh: [String] = []
    for field in unknown where session.warned.count < Limits.warnedFields {
      if session.warned.insert(field).inserted { fresh.append(field) }
    }
    guard !fresh.isEmpty else { return }
    let start = turn.words.count
    turn.words.object { out in
      out.object("warn") { $0.append(member: "fields", fresh) }
      out.append(member: "id")
      if id.isEmpty { out.append("null") } else { out.copyWithin(id) }
    }
    turn.words.append("\n")
    turn.replies.append(Reply(content: .lines, words: start..<turn.words.count))
  }
}

// Rules come from files that the shell reads. From here on they are an entry like any other: what
// was decided by them can be told from the log alone.
extension Broker {
  /// The rules in force.
  package var rules: RuleSet { presenter.rules }

  /// The speed that is assumed of readers that do not report.
  package var pace: ReaderPace { presenter.pace }

  /// Goes by these rules from the next entry on, which says so.
  package mutating func load(_ rules: RuleSet, _ pace: ReaderPace, into turn: inout Turn) {
    rulesEntry = appendOwn(.rules, into: &turn) { event in
      rules.writeEntry(into: &event)
      pace.write(into: &event)
    }
  }
}
