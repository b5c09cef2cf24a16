// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yAdvice
internal import A11yPresenter
internal import A11yModel
package import A11yWire

// The way of an event into the log.
extension Broker {
  mutating func publish(
    _ line: JSONDocument,
    _ head: RequestHead,
    _ id: Range<Int>,
    _ session: Session,
    into turn: inout Turn
  ) throws(Refusal) {
    // Nearly always the event is all that there is.
    if let key = head.otherKey, line.isKey(key, "event") {
      try publish(key + 1, acknowledgement: nil, dedupe: nil, of: line, id, session, into: &turn)
      return
    }
    let fields = Schema.request(.publish)
    let slots = line.slots(of: line.root, fields, unknown: &unknown)
    try line.checkPresence(fields, slots)
    guard let event = slots[PublishField.event] else {
      preconditionFailure("the schema requires an event")
    }
    try publish(
      event,
      acknowledgement: slots[PublishField.acknowledgement],
      dedupe: slots[PublishField.dedupe],
      of: line,
      id,
      session,
      into: &turn
    )
  }

  /// Publishes an event of a line that was read already and is no request of a socket, and returns
  /// its entry and its type.
  package mutating func publish(
    _ event: JSONIndex,
    acknowledgement: JSONIndex?,
    dedupe: JSONIndex?,
    of line: JSONDocument,
    from session: Session,
    into turn: inout Turn
  ) throws(Refusal) -> (Seq, EventType) {
    unknown.removeAll(keepingCapacity: true)
    defer { session.hasSpoken = true }
    let type = try publish(
      event,
      acknowledgement: acknowledgement,
      dedupe: dedupe,
      of: line,
      0..<0,
      session,
      into: &turn
    )
    guard case .accepted(let seq, _, _) = turn.replies.last?.content else {
      preconditionFailure("what is not refused was accepted")
    }
    return (seq, type)
  }

  /// Publishes an event, and returns its type.
  @discardableResult
  private mutating func publish(
    _ event: JSONIndex,
    acknowledgement asked: JSONIndex?,
    dedupe: JSONIndex?,
    of line: JSONDocument,
    _ id: Range<Int>,
    _ session: Session,
    into turn: inout Turn
  ) throws(Refusal) -> EventType {
    let acknowledgement = try checkTerms(asked, dedupe, of: line)
    advance(into: &turn)
    // Entries that are appended from here on can be removed again, with their seqs.
    let beginning = Beginning(
      bytes: turn.entries.count,
      entries: turn.checksums.count,
      last: log.last,
      unknown: unknown.count
    )
    let entry = try appendOrTakeBack(
      event,
      of: line,
      dedupe: dedupe,
      session,
      to: beginning,
      into: &turn
    )
    let key = dedupe.map { line.string($0) }
    if let key, let first = firstPublished(key, by: session, in: &turn) {
      takeBack(to: beginning, in: &turn)
      counters.duplicates += 1
      warn(session, id, into: &turn)
      let nothing = AdviceList(bound: 0)
      accept(first, acknowledgement, id, isDuplicate: true, nil, nothing, into: &turn)
      return entry.type
    }
    if let overflow = overflow(of: event, entry.type, in: line, session) {
      takeBack(to: beginning, in: &turn)
      guard overflow == .userBytes, makeRoom(for: session, into: &turn) else {
        throw refusal(overflow).inside("event")
      }
      unknown.removeLast(unknown.count - beginning.unknown)
      return try publish(
        event,
        acknowledgement: asked,
        dedupe: dedupe,
        of: line,
        id,
        session,
        into: &turn
      )
    }
    if isLimited(session) {
      try takeShareOrTakeBack(entry, event, of: line, session, to: beginning, in: &turn)
    }
    warn(session, id, into: &turn)
    if let key {
      duplicates.remember(
        UsedKey(uid: session.uid, app: session.app, key: key, seq: entry.seq, mono: stamp.mono)
      )
    }
    session.hasJoined = true
    let published =
      entry.isAsGiven
      ? WireEvent(event, of: line, entry.type, entry.slots) : WireEvent(event, of: line)
    presentWithSecrets(entry, published, session, linesFrom: beginning.bytes, of: &turn)
    counters.notePublished(entry.type)
    session.tally.published += 1
    accept(entry, published, acknowledgement, id, session, into: &turn)
    return entry.type
  }

  /// Checks the fields of a publish request beside its event.
  private mutating func checkTerms(
    _ asked: JSONIndex?,
    _ dedupe: JSONIndex?,
    of line: JSONDocument
  ) throws(Refusal) -> Acknowledgement {
    let acknowledgement = try Self.acknowledgement(line, asked)
    if let dedupe {
      try line.check(dedupe, Schema.request(.publish)[PublishField.dedupe], unknown: &unknown)
    }
    if acknowledgement == .synced, isDegraded {
      throw Refusal(
        .storageDegraded,
        field: "ack",
        "the disk cannot be written, so that nothing can be synced; ask for written"
      )
    }
    return acknowledgement
  }

  /// Appends the event; where it is refused, nothing of it stays in the turn.
  private mutating func appendOrTakeBack(
    _ event: JSONIndex,
    of line: JSONDocument,
    dedupe: JSONIndex?,
    _ session: Session,
    to beginning: Beginning,
    into turn: inout Turn
  ) throws(Refusal) -> Appended {
    let entry: Appended
    do throws(Refusal) {
      entry = try appendEvent(event, of: line, dedupe: dedupe, session, into: &turn)
    } catch {
      takeBack(to: beginning, in: &turn)
      unknown.prefix("event.", from: beginning.unknown)
      throw error.inside("event")
    }
    unknown.prefix("event.", from: beginning.unknown)
    return entry
  }

  /// Counts the event to its user's part of the log; where he has had that, nothing of it stays.
  private mutating func takeShareOrTakeBack(
    _ entry: Appended,
    _ event: JSONIndex,
    of line: JSONDocument,
    _ session: Session,
    to beginning: Beginning,
    in turn: inout Turn
  ) throws(Refusal) {
    do throws(Refusal) {
      try takeShare(
        of: session.uid,
        bytes: turn.entries.count - beginning.bytes,
        isUrgent: isUrgent(event, entry, of: line, in: turn)
      )
    } catch {
      takeBack(to: beginning, in: &turn)
      throw error
    }
  }

  /// Bytes of an entry that is let through though its user has had his part of the log.
  private static let urgentBytes = 1_024

  /// Whether it is a short announcement that cannot wait.
  private func isUrgent(
    _ event: JSONIndex,
    _ entry: Appended,
    of line: JSONDocument,
    in turn: borrowing Turn
  ) -> Bool {
    entry.type == .announcement && turn.entries.count - entry.start <= Self.urgentBytes
      && line.string("priority", of: event) == "high"
  }

  /// The event that the app has published with this key already, unless its entry is lost.
  private mutating func firstPublished(
    _ key: String,
    by session: Session,
    in turn: inout Turn
  ) -> Seq? {
    guard
      let first = duplicates.first(uid: session.uid, app: session.app, key: key, at: stamp.mono),
      first < log.first || recall(first, in: &turn) != .gone
    else { return nil }
    return first
  }

  /// The bound that the model would exceed with this event.
  private func overflow(
    of event: JSONIndex,
    _ type: EventType,
    in line: JSONDocument,
    _ session: Session
  ) -> Model.Overflow? {
    guard type.has(.changesModel) else { return nil }
    return presenter.model.overflow(
      of: event,
      type,
      in: line,
      from: session.sender.key,
      quotas: quotas
    )
  }

  /// Gives an event to the presenter, and keeps its secret words for as long as they may be spoken.
  private mutating func presentWithSecrets(
    _ entry: Appended,
    _ event: borrowing WireEvent,
    _ session: Session,
    linesFrom start: Int,
    of turn: inout Turn
  ) {
    if entry.isSecret {
      secrets.keep(event, as: entry.seq, entry.type, session.sender.key, presenter.model)
    }
    present(entry, event, session, linesFrom: start, of: &turn)
    secrets.dropSpoken(entry.seq) { presenter.pending(of: $0) != nil }
  }

  /// Gives an event to the presenter, behind the line that may tell that its client is there.
  private mutating func present(
    _ entry: Appended,
    _ event: borrowing WireEvent,
    _ session: Session,
    linesFrom start: Int,
    of turn: inout Turn
  ) {
    guard entry.isAsGiven else {
      present(from: start, of: &turn)
      return
    }
    presentLines(start..<entry.start, of: turn)
    let head = EntryHead(
      seq: entry.seq,
      mono: stamp.mono,
      app: session.sender.key,
      conn: session.conn
    )
    presenter.take(head, entry.type, event)
    decide(into: &turn)
  }

  /// An event as the log's next entry.
  private struct Appended {
    let seq: Seq
    let type: EventType
    /// The place of its line.
    let start: Int
    let isAsGiven: Bool
    /// Where its fields stand in the line that it came in.
    let slots: Slots
    /// The event has secret words, which only this process has.
    let isSecret: Bool
  }

  /// The turn before an event.
  private struct Beginning {
    let bytes: Int
    let entries: Int
    let last: Seq
    /// The unknown fields that are known of so far.
    let unknown: Int
  }

  private mutating func takeBack(to beginning: Beginning, in turn: inout Turn) {
    turn.removeEntries(toBytes: beginning.bytes, entries: beginning.entries)
    log.last = beginning.last
  }

  /// Ends the app of this user for which most bytes are kept; false where that is the publisher
  /// itself.
  private mutating func makeRoom(for session: Session, into turn: inout Turn) -> Bool {
    guard let heaviest = presenter.model.heaviestApp(of: session.uid) else { return false }
    var refusal = refusal(.userBytes)
    refusal.message += "; this app had most of them"
    giveUp(heaviest, refusal, into: &turn)
    return heaviest != session.sender.key
  }

  /// The refusal of an event for which there is no room.
  private func refusal(_ overflow: Model.Overflow) -> Refusal {
    switch overflow {
    case .windows:
      Refusal(
        .quotaExceeded,
        field: "window",
        "an app has at most \(Limits.windowsPerApp) windows; close another one first"
      )
    case .elements(let field):
      Refusal(
        .quotaExceeded,
        field: field.description,
        "an app has at most \(Limits.elementsPerApp) elements; remove others first"
      )
    case .bytes:
      Refusal(
        .quotaExceeded,
        field: "window",
        "ids and texts of an app's elements have at most \(quotas.elementBytesPerApp) bytes;"
          + " remove others first"
      )
    case .userBytes:
      Refusal(
        .quotaExceeded,
        field: "window",
        "ids and texts of the elements of all apps of a user have at most"
          + " \(quotas.elementBytesPerUser) bytes"
      )
    }
  }

  /// Appends the event as the log's next entry, behind the one that tells that its client is there.
  private mutating func appendEvent(
    _ event: JSONIndex,
    of line: JSONDocument,
    dedupe: JSONIndex?,
    _ session: Session,
    into turn: inout Turn
  ) throws(Refusal) -> Appended {
    let type = try line.eventType(event)
    // A screen reader may have its words said there, which are known when they have been looked at.
    guard session.role.mayPublish(type) || session.role == .read && type == .announcement else {
      throw Self.refusal(of: type, on: session.role)
    }
    let known = log.last
    if !session.hasJoined { writeJoined(session, client: nil, into: &turn) }
    log.last = log.last.next
    let start = turn.entries.count
    writer.open(
      log.last,
      origin: session.sender.origin,
      dedupe: dedupe,
      of: line,
      into: &turn.entries
    )
    let app = session.sender.key
    let written = try line.writeEvent(
      type,
      event,
      into: &turn.entries,
      unknown: &unknown,
      isSecure: { element in
        let named = line.name("window", of: event)
        guard let window = named ?? presenter.model.activeWindow(of: app) else { return false }
        let place = ElementPlace(app: app, window: window, element: element)
        // A forgotten secret element stays secret until its app describes it anew.
        return presenter.model.isSecure(place)
          || forgottenSecrets.contains(place) && !presenter.model.isDescribed(place)
      },
      hidesName: {
        presenter.hidesName(
          app: line.name("app", of: event),
          window: line.name("window", of: event),
          element: line.name("element", of: event),
          near: app.uid
        )
      }
    )
    turn.checksums.append(writer.close(into: &turn.entries))
    if type == .announcement { try checkReading(written, of: type, session) }
    if written.refersToOthers {
      try checkReferences(written, of: type, session, last: known, in: &turn)
    }
    return Appended(
      seq: log.last,
      type: type,
      start: start,
      isAsGiven: written.isAsGiven,
      slots: written.slots,
      isSecret: written.isSecret
    )
  }

  /// The refusal of an event that is not for this socket.
  private static func refusal(of type: EventType, on role: Role) -> Refusal {
    Refusal(
      .roleDenied,
      field: "type",
      "\(type.rawValue) is not published on the \(role.rawValue) socket, but on "
        + Role.named { $0.mayPublish(type) }
    )
  }

  /// Refuses the words of a screen reader from one who is none, and others from a screen reader's
  /// socket.
  private func checkReading(
    _ event: WrittenEvent,
    of type: EventType,
    _ session: Session
  ) throws(Refusal) {
    if event.isReading {
      guard session.isReader else {
        throw Refusal(
          .roleDenied,
          field: "class",
          "class reading is for the words of a screen reader; say hello with role reader first"
        )
      }
    } else if !session.role.mayPublish(type) {
      throw Self.refusal(of: type, on: session.role)
    }
  }

  /// Checks an event's references: to earlier entries, of the right type.
  ///
  /// A reference to an entry that is gone counts as not given.
  private func checkReferences(
    _ event: WrittenEvent,
    of type: EventType,
    _ session: Session,
    last: Seq,
    in turn: inout Turn
  ) throws(Refusal) {
    try checkIsEarlier(event.cause, "cause", last)
    try checkIsEarlier(event.basis, "basis", last)
    try checkIsEarlier(event.of, "of", last)
    try checkType(event.cause, "cause", isOf: EventType.action.rawValue, in: &turn)
    try checkType(event.basis, "basis", isOf: EventType.Own.focus.rawValue, in: &turn)
    switch type {
    case .handled: try checkType(event.of, "of", isOf: EventType.Own.gesture.rawValue, in: &turn)
    case .speech, .action:
      try checkType(event.of, "of", isOf: EventType.Own.deliver.rawValue, in: &turn)
    default: break
    }
    if type == .cancel, let of = event.of, let entry = recall(of, in: &turn).entry,
      !entry.isPublished || entry.app != session.app || entry.uid != Int64(session.uid)
    {
      throw Refusal(
        .roleDenied,
        field: "of",
        "expected the seq of an event of one's own; \(of.number) is from \(entry.app)"
      )
    }
  }

  private func checkType(
    _ seq: Seq?,
    _ field: String,
    isOf type: String,
    in turn: inout Turn
  ) throws(Refusal) {
    // A forgotten entry may have been of any type.
    guard let seq, let entry = recall(seq, in: &turn).entry, entry.type != type,
      entry.type != EventType.Own.forgotten.rawValue
    else { return }
    throw Refusal(
      .fieldInvalid,
      field: field,
      "expected the seq of an entry of type \(type); got one of type \(entry.type)"
    )
  }

  private func checkIsEarlier(_ seq: Seq?, _ field: String, _ last: Seq) throws(Refusal) {
    guard let seq, seq > last else { return }
    var refusal = Refusal(
      .seqUnknown,
      field: field,
      "expected the seq of an earlier entry, at most \(last.number); got \(seq.number)"
    )
    refusal.last = last
    throw refusal
  }

  private static func acknowledgement(
    _ line: JSONDocument,
    _ value: JSONIndex?
  ) throws(Refusal) -> Acknowledgement {
    guard let value else { return .written }
    if let asked = line.stringIfAny(value), let known = Acknowledgement(rawValue: asked) {
      return known
    }
    var nothing: UnknownFields = []
    let field = Schema.request(.publish)[PublishField.acknowledgement]
    try line.check(value, field, unknown: &nothing)
    preconditionFailure("the schema and the type list the same acknowledgements")
  }

  /// Accepts a published event, with what its publisher is told of the focus and its mistakes.
  private mutating func accept(
    _ entry: Appended,
    _ event: borrowing WireEvent,
    _ acknowledgement: Acknowledgement,
    _ id: Range<Int>,
    _ session: Session,
    into turn: inout Turn
  ) {
    let warnings = session.warnings(
      on: event,
      entry.type,
      presenter.model,
      presenter.notes,
      at: stamp.mono
    )
    let focus = entry.type.has(.mayMoveFocus) ? presenter.notes.focus : nil
    accept(entry.seq, acknowledgement, id, focus, warnings, into: &turn)
  }

  private mutating func accept(
    _ seq: Seq,
    _ acknowledgement: Acknowledgement,
    _ id: Range<Int>,
    isDuplicate: Bool = false,
    _ focus: FocusAnswer?,
    _ warnings: AdviceList,
    into turn: inout Turn
  ) {
    let start = turn.words.count
    if !id.isEmpty {
      if isDuplicate { turn.words.append(",\"duplicate\":true") }
      warnings.writeWarnings(into: &turn.words)
      if let focus {
        turn.words.append(",\"focus\":")
        focus.write(into: &turn.words)
      }
    }
    turn.replies.append(
      Reply(
        content: .accepted(seq, acknowledgement, notes: start..<turn.words.count),
        words: id
      )
    )
  }
}
