// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yBroker
internal import A11yWire

/// Sees what every turn has brought: prints it, and keeps what is asked for later.
struct Witness {
  let past: Past
  var labels = Labels()
  /// The reader that is there from the beginning, if there is one.
  var reader: AutoReader?
  private let decisions = JSONReader(limit: Limits.answerBytes)

  /// An entry that a line has brought into the log on its own.
  struct Published {
    let seq: Seq
    let conn: Int64
    let type: EventType
  }

  init(_ past: Past) { self.past = past }

  /// Prints the turn's entries, with a label those that a line of this name has brought.
  mutating func observe(
    _ turn: borrowing Turn,
    _ published: Published?,
    label: String?,
    into out: inout ByteBuffer
  ) {
    for order in turn.orders { reader?.take(order) }
    let lines = turn.entries.bytes
    if label == nil { out.append(lines) }
    var seq = turn.before
    var start = 0
    while let newline = lines.firstIndex(of: UInt8(ascii: "\n"), from: start) {
      seq = seq.next
      let line = lines.extracting(start..<newline)
      start = newline + 1
      var isNamed = false
      if let published, published.seq == seq {
        past.addEntry(conn: published.conn, .published(published.type))
        isNamed = true
      } else {
        let type = line.ownType
        past.addEntry(conn: 0, type.map { .own($0) } ?? .published(.doNotDisturb))
        if let type { noteDecision(type, seq, line) }
        isNamed = published == nil && type == .client
        if isNamed, let label, !labels.has(label) { labels.name(seq, label) }
      }
      guard let label else { continue }
      if isNamed {
        out.append(line, named: label)
      } else {
        out.append(line)
        out.append("\n")
      }
    }
  }

  /// Takes note of what was decided, as far as somebody asks for it.
  private mutating func noteDecision(_ type: EventType.Own, _ seq: Seq, _ line: Span<UInt8>) {
    switch type {
    case .focus:
      labels.enumerate(.focus, seq)
      return
    case .deliver, .gesture:
      labels.enumerate(type == .deliver ? .deliver : .gesture, seq)
      if labels.isEmpty { return }
    case .silence, .outcome, .seat, .opened, .closed, .rules, .client, .forgot, .forgotten: return
    }
    let decisions = self.decisions
    do throws(JSONFault) {
      try decisions.read(line)
    } catch {
      preconditionFailure("what the broker has written can be read")
    }
    labels.learn(decisions.document)
  }
}

/// The names that lines of a script have given themselves, and what came of those lines.
struct Labels {
  private struct Line {
    let seq: Seq
    var delivery: Seq?
    var gesture: Seq?
  }

  private var lines: [String: Line] = [:]
  private var names: [Seq: String] = [:]
  /// The entries of the bus that can be named by their number among those of their type.
  private var counted: [Kind: [Seq]] = [:]

  /// A type of entries that are counted.
  enum Kind: String, CaseIterable {
    case deliver, gesture, focus
  }

  /// Whether anybody can ask for what became of a line.
  var isEmpty: Bool { lines.isEmpty }

  func has(_ name: String) -> Bool { lines[name] != nil }

  mutating func name(_ seq: Seq, _ name: String) {
    lines[name] = Line(seq: seq)
    names[seq] = name
  }

  mutating func enumerate(_ kind: Kind, _ seq: Seq) { counted[kind, default: []].append(seq) }

  /// Takes note of a decision about a line that has a name.
  mutating func learn(_ entry: JSONDocument) {
    let envelope = EntryView(of: entry)
    guard let seq = envelope.seq, let event = envelope.event else { return }
    if let action = entry.seq("action", of: event), let name = names[action] {
      lines[name]?.gesture = seq
    }
    guard let of = entry.member("of", of: event), entry.kind(of) == .list else { return }
    var item = of + 1
    while item < entry.end(of) {
      if let number = entry.integer(item), let name = names[Seq(number)] {
        lines[name]?.delivery = seq
      }
      item = entry.end(item)
    }
  }

  // MARK: In the place of a seq

  /// Whether a member of an event names a line where a seq is expected.
  static func isReference(_ key: JSONIndex, in line: JSONDocument) -> Bool {
    let isBasis = line.isKey(key, "basis")
    let value = key + 1
    guard isBasis || line.isKey(key, "cause") || line.isKey(key, "of"), line.kind(value) == .string
    else { return false }
    let text = line.raw(value)
    return text.firstIndex(of: UInt8(ascii: "@")) != nil || text.begins(with: "deliver:")
      || text.begins(with: "gesture:") || text.begins(with: "focus:")
      || isBasis && text.equals("focus")
  }

  /// The type and number in a reference such as `deliver:3`.
  private static func ordinal(_ word: String) -> (Kind, Int)? {
    let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])), let number = Int(parts[1])
    else { return nil }
    return (kind, number)
  }

  /// The seq that a reference stands for.
  func seq(_ key: JSONIndex, in line: JSONDocument) throws(Refusal) -> Seq {
    let word = line.string(key + 1)
    let field = "event.\(line.string(key))"
    if word == "focus" {
      if let focus = counted[.focus]?.last { return focus }
      throw Refusal(.seqUnknown, field: field, "the focus has not been anywhere yet")
    }
    if let (kind, number) = Self.ordinal(word) {
      let seqs = counted[kind] ?? []
      if number > 0, number <= seqs.count { return seqs[number - 1] }
      let known = "expected one of the \(seqs.count) \(kind.rawValue) entries so far"
      throw Refusal(.seqUnknown, field: field, "\(known); got \(number)")
    }
    let parts = word.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    guard ["", "deliver:", "gesture:"].contains(parts[0]), parts.count == 2 else {
      throw Refusal(
        .fieldInvalid,
        field: field,
        "expected @label, deliver:@label, gesture:@label or such as deliver:3; got \"\(word)\""
      )
    }
    guard let named = lines[String(parts[1])] else {
      throw Refusal(
        .seqUnknown,
        field: field,
        "expected the label of an earlier line that was taken; got \"\(parts[1])\""
      )
    }
    switch parts[0] {
    case "deliver:":
      if let delivery = named.delivery { return delivery }
      throw Refusal(.seqUnknown, field: field, "nothing of \"\(parts[1])\" was delivered yet")
    case "gesture:":
      if let gesture = named.gesture { return gesture }
      throw Refusal(.seqUnknown, field: field, "no gesture came of \"\(parts[1])\" yet")
    default: return named.seq
    }
  }
}

/// The facts about earlier entries that later events may need, in a few bytes for each of them.
///
/// Nothing is ever dropped: a script ends.
final class Past {
  /// The speaker and the kind of an entry.
  private struct Note {
    let conn: Int32
    let kind: Kind
  }

  enum Kind {
    case published(EventType)
    case own(EventType.Own)
  }

  private var notes: [Note] = []
  /// By conn; none is ever given twice.
  private var people: [(app: String, uid: Int64)] = []

  func addSession(conn: Int64, app: String, uid: UInt32) {
    while people.count <= conn { people.append(("", 0)) }
    people[Int(conn)] = (app, Int64(uid))
  }

  func addEntry(conn: Int64, _ kind: Kind) {
    notes.append(Note(conn: Int32(truncatingIfNeeded: conn), kind: kind))
  }

  func entry(_ seq: Seq) -> PastEntry? {
    guard 1...Int64(notes.count) ~= seq.number else { return nil }
    let note = notes[Int(seq.number - 1)]
    let person = people[Int(note.conn)]
    let (type, isPublished) =
      switch note.kind {
      case .published(let type): (type.rawValue, true)
      case .own(let type): (type.rawValue, false)
      }
    return PastEntry(type: type, app: person.app, uid: person.uid, isPublished: isPublished)
  }
}

// Facts about a stored line that are seen without reading it, and the writing of a name into it.
extension Span<UInt8> {
  var isBlank: Bool {
    for index in indices {
      guard self[index] == 32 || self[index] == 9 || self[index] == 13 else { return false }
    }
    return true
  }

  /// The type of an entry of the daemon's own; nil where clients write entries of this type, too.
  var ownType: EventType.Own? {
    guard let type = EnvelopePeek.type(in: self) else {
      preconditionFailure("the broker's own entries have a type")
    }
    let name = extracting(type)
    // Nearly all of them.
    if name.equals("outcome") { return .outcome }
    if name.equals("deliver") { return .deliver }
    return EventType.Own(name)
  }
}

extension ByteBuffer {
  /// Appends a stored line with a label in its envelope, and with the checksum of what it is now.
  mutating func append(_ line: Span<UInt8>, named label: String) {
    let mark: StaticString = ",\"conn\":"
    guard let conn = line.firstIndex(of: mark) else {
      preconditionFailure("an entry says who it is from")
    }
    var at = conn + mark.utf8CodeUnitCount
    while (48...57).contains(line[at]) { at += 1 }
    let start = count
    append(line.extracting(0..<at))
    append(",\"label\":")
    append(json: label)
    append(line.extracting(at..<line.count - LineChecksum.width))
    seal(from: start)
  }
}
