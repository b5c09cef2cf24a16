// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// An event in a line, with the places of its members, which one pass has found.
public struct WireEvent: ~Copyable, ~Escapable {
  public let line: JSONDocument
  public let index: JSONIndex
  /// One bit for each member that is there; most that are asked for are not.
  @usableFromInline var present: UInt64 = 0
  @usableFromInline var places = [48 of UInt32](repeating: 0)
  private static var room: Int { 48 }

  @_lifetime(copy line)
  public init(_ index: JSONIndex, of line: JSONDocument) {
    self.line = line
    self.index = index
    guard line.kind(index) == .object else { return }
    let behind = line.end(index)
    var key = index + 1
    while key < behind {
      if let member = Member(of: key, in: line) {
        present |= member.bit
        places[member.rawValue] = UInt32(key + 1)
      }
      key = line.end(key + 1)
    }
  }

  /// An event whose fields were found already, and which has no others.
  @_lifetime(copy line)
  public init(_ index: JSONIndex, of line: JSONDocument, _ type: EventType, _ slots: Slots) {
    self.line = line
    self.index = index
    let fields = type.fields
    var left = slots.present
    while let field = left.first {
      left = left.rest
      guard let member = fields.members[field], let value = slots[field] else { continue }
      present |= member.bit
      places[member.rawValue] = UInt32(value)
    }
  }

  // Inlined on request, because an event is asked for twenty members and has three.
  @inlinable @inline(__always)
  public func member(_ name: Member) -> JSONIndex? {
    present & name.bit == 0 ? nil : JSONIndex(places[name.rawValue])
  }

  @inlinable
  public func string(_ name: Member) -> String? { member(name).flatMap { line.stringIfAny($0) } }

  @inlinable
  public func name(_ name: Member) -> Name? { member(name).flatMap { line.name($0) } }

  @inlinable
  public func integer(_ name: Member) -> Int64? { member(name).flatMap { line.integer($0) } }

  @inlinable
  public func seq(_ name: Member) -> Seq? { integer(name).flatMap(Seq.init(stated:)) }

  /// Whether a member is the string `word`.
  @inlinable
  public func says(_ name: Member, _ word: StaticString) -> Bool {
    guard let value = member(name) else { return false }
    return line.kind(value) == .string && line.isKey(value, word)
  }

  @inlinable
  public func flag(_ name: Member) -> Bool { member(name).map { line.kind($0) == .yes } ?? false }
}

extension WireEvent {
  /// The members that an event is asked for, an app's or the bus's own.
  public enum Member: Int, CaseIterable, Sendable {
    case action, app, basis, busy, cause, `class`, conn, content, continuous, element
    case estimated, final
    case foreground, `for`, handled, heard, key, level, mark, modal, mode, name, of, origin, point,
      priority
    case queue, reader, reading, reason, redacted, remove, replace, reports, running, sensitive
    case speech, state, text, ttl, type
    case uid, upsert, window

    /// The member that a key of a line names.
    fileprivate init?(of key: JSONIndex, in line: JSONDocument) {
      let number =
        line.isEscaped(key)
        ? Self.names.index(of: Array(line.string(key).utf8).span)
        : Self.names.index(of: line.raw(key))
      guard let number else { return nil }
      self.init(rawValue: number)
    }

    /// The member that a field of the schema is; nil for a field that nobody asks an event for.
    init?(field name: StaticString) {
      guard let number = Self.names.index(of: name.description.utf8Span.span) else { return nil }
      self.init(rawValue: number)
    }

    @inlinable var bit: UInt64 { 1 << UInt64(rawValue) }

    private static let names = {
      precondition(allCases.count <= WireEvent.room, "there is a place for each member")
      return NameTable(allCases.map(\.name))
    }()

    private var name: StaticString {
      switch self {
      case .action: "action"
      case .app: "app"
      case .basis: "basis"
      case .busy: "busy"
      case .cause: "cause"
      case .class: "class"
      case .conn: "conn"
      case .content: "content"
      case .continuous: "continuous"
      case .element: "element"
      case .estimated: "estimated"
      case .final: "final"
      case .foreground: "foreground"
      case .for: "for_ms"
      case .handled: "handled"
      case .heard: "heard_ms"
      case .key: "key"
      case .level: "level"
      case .mark: "mark"
      case .modal: "modal"
      case .mode: "mode"
      case .name: "name"
      case .of: "of"
      case .origin: "origin"
      case .point: "point"
      case .priority: "priority"
      case .queue: "queue"
      case .reader: "reader"
      case .reading: "reading"
      case .reason: "reason"
      case .redacted: "redacted"
      case .remove: "remove"
      case .replace: "replace"
      case .reports: "reports"
      case .running: "running"
      case .sensitive: "sensitive"
      case .speech: "speech"
      case .state: "state"
      case .text: "text"
      case .ttl: "ttl_ms"
      case .type: "type"
      case .uid: "uid"
      case .upsert: "upsert"
      case .window: "window"
      }
    }
  }
}
