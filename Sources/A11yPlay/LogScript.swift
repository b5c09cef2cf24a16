// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yPresenter
internal import A11yRules
package import A11yWire

/// A script of the events in a log, with which a simulation comes to the same decisions at the same
/// times.
///
/// The log is gone over twice: `survey` finds the entries that others refer to, and `script` turns
/// each entry of a client into a line. Entries of the bus are left out; what they tell that no
/// script can say is among the losses.
package struct LogScript {
  /// Something that the log has and a script cannot have.
  package enum Loss: Hashable, Sendable {
    /// The log begins with a later entry than the first.
    case beginning(Seq)
    /// Entries before this one are missing or were forgotten.
    case missing(before: Seq)
    /// The bus was started anew.
    case restart(Seq)
    /// These rules are not the shipped ones.
    case rules(Seq)
    /// The reader's settings are not the usual ones.
    case pace(Seq)
    /// A text is hidden, and another one of about its length stands in its place.
    case secret(Seq)
    /// The event refers to an entry that the log does not have.
    case reference(Seq)
  }

  /// The losses, in the order of the log.
  package private(set) var losses: [Loss] = []

  /// Whether readers and their reports are left out, for the simulation's own reader.
  private let leavesOutReaders: Bool
  /// The published entries that others refer to.
  private var named: Set<Seq> = []
  private var references = ScriptReferences()
  private var cast = ScriptCast()
  private var last: Seq?
  /// The instant that becomes the script's beginning.
  private var zero: Int64?

  package init(leavesOutReaders: Bool) { self.leavesOutReaders = leavesOutReaders }

  // MARK: The first way through the log

  /// Notes the references of the next entry.
  package mutating func survey(_ entry: JSONDocument) {
    let envelope = EntryView(of: entry)
    guard let seq = envelope.seq, let event = envelope.event, let type = envelope.type else {
      return
    }
    if !envelope.isOwn {
      eachReference(entry, event) { _, target in
        if let name = references.label(of: target) { named.insert(name) }
      }
    }
    references.note(seq, entry, event, type, isOwn: envelope.isOwn)
  }

  // MARK: The second way

  /// Begins the second way through the log.
  package mutating func beginWriting() { references = ScriptReferences() }

  /// Appends the lines that the next entry becomes.
  package mutating func script(_ entry: JSONDocument, into out: inout ByteBuffer) {
    let envelope = EntryView(of: entry)
    guard let seq = envelope.seq, let mono = envelope.mono else { return }
    noticeGap(before: seq)
    guard let event = envelope.event, let type = envelope.type else { return }
    let zero = self.zero ?? mono
    self.zero = zero
    let instant = max(0, mono - zero)
    switch EventType.Own(rawValue: type) {
    case .client: cast.noteClient(entry, event, at: instant, leavesOutReaders, into: &out)
    case .opened:
      if cast.hasBegun { losses.append(.restart(seq)) }
      cast.dismissAll(at: instant, into: &out)
    case .rules: compare(entry, event, seq)
    case .seat:
      out.append("{\"mono\":")
      out.append(decimal: instant)
      out.append(member: "seat")
      out.append("{")
      Seat.form.write(Seat(of: event, in: entry), into: &out)
      out.append("}}\n")
    case .forgotten: losses.append(.missing(before: seq.next))
    case .some: break
    case nil:
      // Events that the bus has published itself come again by themselves.
      if !envelope.isOwn, !(leavesOutReaders && type == EventType.speech.rawValue) {
        transcribe(entry, event, seq, at: instant, into: &out)
      }
    }
    references.note(seq, entry, event, type, isOwn: envelope.isOwn)
  }

  private mutating func noticeGap(before seq: Seq) {
    if let last {
      if seq != last.next { losses.append(.missing(before: seq)) }
    } else if seq != Seq(1) {
      losses.append(.beginning(seq))
    }
    last = seq
  }

  private mutating func compare(_ entry: JSONDocument, _ event: JSONIndex, _ seq: Seq) {
    if entry.string("hash", of: event) != RuleSet.defaults.hash { losses.append(.rules(seq)) }
    var pace = ReaderPace()
    pace.take(WireEvent(event, of: entry))
    if pace != ReaderPace() { losses.append(.pace(seq)) }
  }

  private mutating func transcribe(
    _ entry: JSONDocument,
    _ event: JSONIndex,
    _ seq: Seq,
    at instant: Int64,
    into out: inout ByteBuffer
  ) {
    let envelope = EntryView(of: entry)
    guard let conn = envelope.conn else { return }
    if let of = entry.seq("of", of: event), references.phrase(for: of, isBasis: false) == nil {
      // Without the entry that it is about, the event says nothing.
      losses.append(.reference(seq))
      return
    }
    let uid = cast.enter(conn, envelope.app, envelope.uid ?? 0, at: instant, into: &out)
    out.append("{\"mono\":")
    out.append(decimal: instant)
    out.append(member: "conn", ScriptCast.nickname(conn))
    if let uid { out.append(member: "uid", uid) }
    if named.contains(seq) { out.append(member: "label", ScriptReferences.label(seq)) }
    if let dedupe = envelope.dedupe { out.append(member: "dedupe", dedupe) }
    out.append(member: "event")
    copy(object: event, of: entry, seq, isEvent: true, into: &out)
    out.append("}\n")
  }

  // MARK: Copying

  /// Copies an event or an element, with names in the place of numbers, and with words in the place
  /// of hidden ones.
  private mutating func copy(
    object: JSONIndex,
    of entry: JSONDocument,
    _ seq: Seq,
    isEvent: Bool,
    into out: inout ByteBuffer
  ) {
    out.append("{")
    var key = object + 1
    while key < entry.end(object) {
      let value = key + 1
      if entry.isKey(key, "redacted") {
        losses.append(.secret(seq))
        let length = entry.stringIfAny(value).flatMap(LengthClass.init(rawValue:)) ?? .long
        let words = String(repeating: "x", count: length.longest)
        if isEvent {
          out.append(member: "text", words)
        } else {
          out.append(member: "value", words)
        }
      } else if isEvent, let target = Self.reference(key, entry) {
        if let words = references.phrase(for: target, isBasis: entry.isKey(key, "basis")) {
          out.append(memberText: entry.string(key))
          out.append(json: words)
        } else {
          losses.append(.reference(seq))
        }
      } else if isEvent, entry.isKey(key, "upsert") || entry.isKey(key, "replace"),
        entry.kind(value) == .list
      {
        out.append(memberText: entry.string(key))
        copy(elements: value, of: entry, seq, into: &out)
      } else {
        out.append(memberText: entry.string(key))
        entry.copyAll(value, into: &out)
      }
      key = entry.end(value)
    }
    out.append("}")
  }

  private mutating func copy(
    elements: JSONIndex,
    of entry: JSONDocument,
    _ seq: Seq,
    into out: inout ByteBuffer
  ) {
    out.append("[")
    var item = elements + 1
    while item < entry.end(elements) {
      if item > elements + 1 { out.append(",") }
      if entry.kind(item) == .object {
        copy(object: item, of: entry, seq, isEvent: false, into: &out)
      } else {
        entry.copyAll(item, into: &out)
      }
      item = entry.end(item)
    }
    out.append("]")
  }

  /// The entry that a member of an event refers to.
  private static func reference(_ key: JSONIndex, _ entry: JSONDocument) -> Seq? {
    guard entry.isKey(key, "cause") || entry.isKey(key, "basis") || entry.isKey(key, "of") else {
      return nil
    }
    return entry.integer(key + 1).map { Seq($0) }
  }

  private func eachReference(
    _ entry: JSONDocument,
    _ event: JSONIndex,
    _ body: (JSONIndex, Seq) -> Void
  ) {
    guard entry.kind(event) == .object else { return }
    var key = event + 1
    while key < entry.end(event) {
      if let target = Self.reference(key, entry) { body(key, target) }
      key = entry.end(key + 1)
    }
  }
}

extension LengthClass {
  /// The number of characters that decisions go by.
  fileprivate var longest: Int {
    switch self {
    case .short: 8
    case .medium: 32
    case .long: 33
    }
  }
}

/// The words by which a script names the entries of a log up to a place.
///
/// Nothing is ever dropped: a log ends.
struct ScriptReferences {
  private enum Target {
    /// An entry that a client has published.
    case published
    /// A delivery, a gesture or a place of the focus, with its number among those of its kind, and
    /// the published event that it is the last one of.
    case own(Labels.Kind, Int, of: Seq?)
  }

  private var targets: [Seq: Target] = [:]
  private var counts: [Labels.Kind: Int] = [:]
  /// The last delivery and the last gesture of each event.
  private var latest: [Labels.Kind: [Seq: Seq]] = [:]
  private var focus: Seq?

  /// The label of a published entry in the script.
  static func label(_ seq: Seq) -> String { "e\(seq.number)" }

  /// Notes the next entry.
  mutating func note(
    _ seq: Seq,
    _ entry: JSONDocument,
    _ event: JSONIndex,
    _ type: String,
    isOwn: Bool
  ) {
    guard isOwn else {
      targets[seq] = .published
      return
    }
    guard let kind = Labels.Kind(rawValue: type) else { return }
    let number = (counts[kind] ?? 0) + 1
    counts[kind] = number
    let about: [Seq]
    switch kind {
    case .deliver: about = entry.seqs("of", of: event)
    case .gesture: about = entry.seq("action", of: event).map { [$0] } ?? []
    case .focus:
      about = []
      focus = seq
    }
    for event in about { latest[kind, default: [:]][event] = seq }
    let published = about.first { if case .published? = targets[$0] { true } else { false } }
    targets[seq] = .own(kind, number, of: published)
  }

  /// The published entry whose label a reference to this entry takes; nil where it takes none.
  func label(of target: Seq) -> Seq? {
    switch targets[target] {
    case .published: target
    case .own(let kind, _, of: let event?) where latest[kind]?[event] == target: event
    case .own, nil: nil
    }
  }

  /// The words for an entry; nil where it is not in the log.
  func phrase(for target: Seq, isBasis: Bool) -> String? {
    if isBasis, target == focus { return "focus" }
    guard let found = targets[target] else { return nil }
    let name = label(of: target).map(Self.label)
    switch found {
    case .published: return name.map { "@\($0)" }
    case .own(let kind, let number, _):
      return name.map { "\(kind.rawValue):@\($0)" } ?? "\(kind.rawValue):\(number)"
    }
  }
}

extension JSONDocument {
  /// The seqs in a list of an object.
  fileprivate func seqs(_ name: StaticString, of object: JSONIndex) -> [Seq] {
    guard let list = member(name, of: object), kind(list) == .list else { return [] }
    var seqs: [Seq] = []
    var item = list + 1
    while item < end(list) {
      if let number = integer(item) { seqs.append(Seq(number)) }
      item = end(item)
    }
    return seqs
  }
}

/// The connections of a log, and the lines of a script by which they come and go.
struct ScriptCast {
  private struct Guest {
    let app: String
    let uid: Int64
    var isReader = false
    /// Whether a line has brought it into the script.
    var isThere = false
  }

  private var guests: [Int64: Guest] = [:]
  /// Whether anybody has come yet.
  var hasBegun: Bool { !guests.isEmpty }

  /// The name of a connection in the script.
  static func nickname(_ conn: Int64) -> String { "c\(conn)" }

  /// Notes an entry about a client, and appends the line that it becomes, if any.
  mutating func noteClient(
    _ entry: JSONDocument,
    _ event: JSONIndex,
    at instant: Int64,
    _ leavesOutReaders: Bool,
    into out: inout ByteBuffer
  ) {
    guard let conn = entry.integer("conn", of: event) else { return }
    switch entry.string("state", of: event) {
    case "joined":
      let app = entry.string("app", of: event) ?? ""
      let uid = entry.integer("uid", of: event) ?? 0
      let isReader = entry.string("role", of: event) == "reader"
      guests[conn] = Guest(app: app, uid: uid, isReader: isReader)
      // A reader comes when it begins to listen, and somebody without a name with the first event.
      guard !isReader, app != "uid:\(uid)" else { return }
      greet(conn, at: instant, into: &out)
    case "listening":
      // One of rank 0 never speaks for others, and may have words of its own said.
      let rank = entry.integer("speech", of: event)
      guard !leavesOutReaders || rank == 0, guests[conn] != nil else { return }
      greet(conn, at: instant, into: &out) { hello in
        hello.append(member: "role", "reader")
        if let rank { hello.append(member: "speech", rank) }
        if entry.member("reports", of: event).map({ entry.kind($0) == .yes }) ?? false {
          hello.append(member: "reports", true)
        }
      }
    case "left":
      bid(conn, at: instant, into: &out)
      guests[conn] = nil
    case "unsubscribed":
      // The nearest that a script can say.
      bid(conn, at: instant, into: &out)
    default: break
    }
  }

  /// Makes sure that a connection is there before it publishes; a user's number belongs beside its
  /// event where that line brings it.
  mutating func enter(
    _ conn: Int64,
    _ app: String?,
    _ uid: Int64,
    at instant: Int64,
    into out: inout ByteBuffer
  ) -> Int64? {
    if guests[conn] == nil { guests[conn] = Guest(app: app ?? "uid:\(uid)", uid: uid) }
    guard let guest = guests[conn], !guest.isThere else { return nil }
    if guest.app == "uid:\(guest.uid)", !guest.isReader {
      guests[conn]?.isThere = true
      return guest.uid == Int64(Simulation.uid) ? nil : guest.uid
    }
    greet(conn, at: instant, into: &out) { hello in
      // One that has not listened may have words of its own said all the same.
      guard guest.isReader else { return }
      hello.append(member: "role", "reader")
      hello.append(member: "speech", 0)
    }
    return nil
  }

  /// Everybody leaves: the bus is started anew.
  mutating func dismissAll(at instant: Int64, into out: inout ByteBuffer) {
    for conn in guests.keys.sorted() { bid(conn, at: instant, into: &out) }
    guests = [:]
  }

  private mutating func greet(
    _ conn: Int64,
    at instant: Int64,
    into out: inout ByteBuffer,
    _ more: (inout ByteBuffer) -> Void = { _ in }
  ) {
    guard let guest = guests[conn], !guest.isThere else { return }
    guests[conn]?.isThere = true
    Self.beginLine(conn, at: instant, into: &out)
    out.append(member: "hello")
    out.append("{")
    if guest.app != "uid:\(guest.uid)" { out.append(member: "app", guest.app) }
    if guest.uid != Int64(Simulation.uid) { out.append(member: "uid", guest.uid) }
    more(&out)
    out.append("}}\n")
  }

  private mutating func bid(_ conn: Int64, at instant: Int64, into out: inout ByteBuffer) {
    guard guests[conn]?.isThere ?? false else { return }
    guests[conn]?.isThere = false
    Self.beginLine(conn, at: instant, into: &out)
    out.append(member: "gone", true)
    out.append("}\n")
  }

  private static func beginLine(_ conn: Int64, at instant: Int64, into out: inout ByteBuffer) {
    out.append("{\"mono\":")
    out.append(decimal: instant)
    out.append(member: "conn", nickname(conn))
  }
}
