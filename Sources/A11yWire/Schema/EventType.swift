// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The types of events that clients publish, each with its row in the table below; `Own` are those
/// that the bus writes.
public enum EventType: Sendable, CaseIterable {
  case announcement, layoutChanged, screenChanged, pageScrolled, focusChanged, voiceOverStatus,
    elements, window, handled, busy, pause, resume, cancel, zoomFocusChanged, contentSizeChanged,
    action, doNotDisturb, speech

  /// Its place in this list, in the table, and in lists of counts: the byte that a case without a
  /// value is.
  public var number: Int { Int(unsafe unsafeBitCast(self, to: UInt8.self)) }

  /// The word for it in events.
  public var rawValue: String { Self.words[number] }

  public init?(rawValue: String) { self.init(rawValue.utf8Span.span) }

  /// The types of events that the bus writes itself.
  public enum Own: String, Sendable, CaseIterable {
    case focus, deliver, silence, outcome, gesture, seat, opened, closed, rules, client, forgot,
      forgotten

    /// The type that `name` spells.
    public init?(_ name: Span<UInt8>) {
      for (bytes, type) in Self.named where name.equals(bytes) {
        self = type
        return
      }
      return nil
    }

    private static let named = allCases.map { (Array($0.rawValue.utf8), $0) }
  }

  /// The type that `name` spells.
  public init?(_ name: Span<UInt8>) {
    guard let number = Self.lookup.index(of: name) else { return nil }
    self = Self.types[number]
  }

  // Columns of the table that every line needs: a row would be copied as a whole.

  static let names = rows.map(\.name)
  private static let lookup = NameTable(names)
  private static let words = rows.map(\.name.description)
  private static let types = allCases
  private static let allFields = rows.map(\.fields)

  /// First the type, then its own fields, then the common ones.
  public var fields: Fields { Self.allFields[number] }
}

// MARK: The table

extension EventType {
  /// What is known of a type of events, but for what the presenter does with it.
  public struct Row: Sendable {
    let type: EventType
    let name: StaticString
    /// The purpose of the event in a sentence.
    public let summary: StaticString
    /// The name of such an event in a sentence; its type where nobody says it otherwise.
    public let noun: StaticString
    /// Whether such an event ends in an outcome.
    public let ends: Ends
    let facts: [Fact]
    /// First the type, then its own fields, then the common ones.
    let fields: Fields

    init(
      _ type: EventType,
      _ name: StaticString,
      _ summary: StaticString,
      noun: StaticString? = nil,
      ends: Ends,
      _ facts: Fact...,
      fields: Fields
    ) {
      self.type = type
      self.name = name
      self.summary = summary
      self.noun = noun ?? name
      self.ends = ends
      self.facts = facts
      self.fields = fields
    }
  }

  public enum Ends: Sendable {
    case always, sometimes, never
  }

  /// What is so for some types and not for others.
  public enum Fact: Int, Sendable, CaseIterable {
    /// It changes the model of windows, elements and readers.
    case changesModel
    /// It may ask for the focus, or move it, and the publisher's answer tells whether it has.
    case mayMoveFocus
    /// It is the word of the user or of a reader, and no app may say it on a socket of its own.
    case isOfUser
    /// A reader says it: of itself, of its speech, or to withdraw what it has had said.
    case isOfReader
    /// It commands the bus in the user's name.
    case isOfControl
    /// It is about the entry that its `of` names.
    case isAboutAnother
    /// An app that publishes it after a gesture has done what the gesture asked for.
    case answersGestures
    /// It can be the first effect of an action that the user hears.
    case isFeedback
  }

  /// The row of this type.
  public var row: Row { Self.rows[number] }

  /// Whether it is so for this type.
  public func has(_ fact: Fact) -> Bool { Self.bits[fact.rawValue] & 1 << UInt64(number) != 0 }

  /// The types for which each fact is so, as bits.
  private static let bits: [UInt64] = Fact.allCases.map { fact in
    rows.reduce(0) { bits, row in
      row.facts.contains(fact) ? bits | 1 << UInt64(row.type.number) : bits
    }
  }

  private static let rows = table.sorted { $0.type.number < $1.type.number }

  private static let table: [Row] = [
    Row(
      .announcement,
      "announcement",
      "An app has something said.",
      ends: .always,
      .answersGestures,
      fields: Schema.event([
        Field("text", .speakable, required: true, spoken: true),
        Field("priority", .oneOf(.priority)),
        Field("queue", .flag),
        Field("class", .word),
        Field("mode", .oneOf(.mode)),
        Field("final", .flag),
      ])
    ),
    Row(
      .layoutChanged,
      "layout-changed",
      "A part of the screen has changed; with an element, the focus is asked to go there.",
      noun: "change of layout",
      ends: .always,
      .mayMoveFocus,
      .answersGestures,
      fields: Schema.event(
        [Field("text", .speakable, spoken: true)],
        atMostOneOf: ["element", "text"]
      )
    ),
    Row(
      .screenChanged,
      "screen-changed",
      "Another screen is there; with an element, the focus is asked to go there.",
      noun: "change of screen",
      ends: .always,
      .changesModel,
      .mayMoveFocus,
      .answersGestures,
      .isFeedback,
      fields: Schema.event(
        [Field("text", .speakable, spoken: true), Field("modal", .flag)],
        atMostOneOf: ["element", "text"]
      )
    ),
    Row(
      .pageScrolled,
      "page-scrolled",
      "A page was scrolled.",
      noun: "scrolled page",
      ends: .always,
      .answersGestures,
      .isFeedback,
      fields: Schema.event([
        Field("text", .speakable, spoken: true), Field("continuous", .flag),
      ])
    ),
    Row(
      .focusChanged,
      "focus-changed",
      "A toolkit reports the place to which the keyboard focus went.",
      noun: "report of the focus",
      ends: .sometimes,
      .mayMoveFocus,
      .answersGestures,
      fields: Schema.event([], requiring: "element")
    ),
    Row(
      .voiceOverStatus,
      "voiceover-status",
      "A screen reader was started or stopped.",
      noun: "word of a reader about itself",
      ends: .always,
      .changesModel,
      .isOfUser,
      .isOfReader,
      .isOfControl,
      fields: Schema.event([
        Field("running", .flag, required: true),
        Field("reader", .label(bytes: Limits.nameBytes)),
      ])
    ),
    Row(
      .elements,
      "elements",
      "An app tells of elements of a window that are new, changed or gone.",
      noun: "changed value",
      ends: .sometimes,
      .changesModel,
      .answersGestures,
      .isFeedback,
      fields: Schema.event(
        [
          Field("upsert", .list(.object(.element))),
          Field("remove", .list(.name(bytes: Limits.nameBytes))),
          Field("replace", .list(.object(.element))),
        ],
        requiring: "window",
        needsOneOf: ["upsert", "remove", "replace"]
      )
    ),
    Row(
      .window,
      "window",
      "An app tells of a window.",
      noun: "change of a window",
      ends: .never,
      .changesModel,
      .answersGestures,
      fields: Schema.event(
        [
          Field("state", .oneOf(.windowState)),
          Field("title", .text(bytes: Limits.labelBytes), spoken: true),
          Field("modal", .flag),
          Field("lock", .flag),
        ],
        requiring: "window",
        needsOneOf: ["state", "title", "modal", "lock"]
      )
    ),
    Row(
      .handled,
      "handled",
      "An app answers a gesture.",
      ends: .never,
      .isAboutAnother,
      fields: Schema.event([
        Field("of", .seq, required: true), Field("handled", .flag, required: true),
      ])
    ),
    Row(
      .busy,
      "busy",
      "An element begins or ends to be busy.",
      ends: .never,
      .answersGestures,
      fields: Schema.event([Field("busy", .flag, required: true)], requiring: "element")
    ),
    Row(
      .pause,
      "pause",
      "An app asks readers to be quiet, for 30 s at most.",
      ends: .never,
      .answersGestures,
      fields: Schema.event([])
    ),
    Row(
      .resume,
      "resume",
      "An app takes a pause back.",
      ends: .never,
      .answersGestures,
      fields: Schema.event([])
    ),
    Row(
      .cancel,
      "cancel",
      "An app withdraws an event of its own; its speech stops.",
      noun: "withdrawal",
      ends: .never,
      .isOfReader,
      .isAboutAnother,
      fields: Schema.event([Field("of", .seq, required: true)])
    ),
    Row(
      .zoomFocusChanged,
      "zoom-focus-changed",
      "The visible part of a zoomed screen has changed.",
      ends: .never,
      .answersGestures,
      fields: Schema.event(
        [Field("zoom", .word), Field("frame", .integers(count: 4))],
        needsOneOf: ["zoom", "frame", "element"]
      )
    ),
    Row(
      .contentSizeChanged,
      "content-size-changed",
      "The size of text has changed.",
      ends: .never,
      .answersGestures,
      fields: Schema.event([
        Field("category", .label(bytes: Limits.nameBytes), required: true)
      ])
    ),
    Row(
      .action,
      "action",
      "The user acts.",
      noun: "action of the user",
      ends: .sometimes,
      .isOfUser,
      .isOfControl,
      fields: Schema.event([
        Field("action", .oneOf(.action), required: true),
        Field("app", .label(bytes: Limits.nameBytes)),
        Field("point", .integers(count: 2)),
        Field("name", .label(bytes: Limits.nameBytes), spoken: true),
        Field("of", .seq),
      ])
    ),
    Row(
      .doNotDisturb,
      "do-not-disturb",
      "The user wants announcements to wait.",
      ends: .never,
      .changesModel,
      .isOfUser,
      .isOfControl,
      fields: Schema.event([
        Field("level", .integer(0...100), required: true),
        Field("for_ms", .integer(Limits.timeToLive)),
      ])
    ),
    Row(
      .speech,
      "speech",
      "A reader reports how the speech of a deliver entry goes, or that the user reads.",
      noun: "report of a reader",
      ends: .never,
      .isOfUser,
      .isOfReader,
      .isAboutAnother,
      fields: Schema.event(
        [
          Field("of", .seq),
          Field("reading", .flag),
          Field("state", .oneOf(.speechState), required: true),
          Field("heard_ms", .integer(0...Int64.max)),
          Field("estimated", .flag),
          Field("reason", .label(bytes: Limits.nameBytes)),
          Field("by", .label(bytes: Limits.nameBytes)),
          Field("mark", .label(bytes: Limits.nameBytes)),
        ],
        needsOneOf: ["of", "reading"],
        atMostOneOf: ["of", "reading"]
      )
    ),
  ]
}
