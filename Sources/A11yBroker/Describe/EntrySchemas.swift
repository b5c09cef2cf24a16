// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yPresenter
internal import A11yRules
package import A11yWire

/// The schemas of the entries that the bus writes, by the type of their events, and of the envelope
/// that every entry has.
///
/// A test holds those of the presenter's decisions together with their writers: whole runs are
/// checked against them, and each member must have been seen.
package enum EntrySchemas {
  package static let all: [(name: String, schema: ObjectSchema)] =
    decisions + records + [("envelope", envelope)]

  private static let envelope = ObjectSchema(
    [
      .always("seq", .seq, "The number of the entry; dense, and given once."),
      .always("time", .anyInteger, "The wall clock, in microseconds since 1970."),
      .always("mono", .count, "The bus clock in microseconds; it never goes back."),
      .maybe("app", .anyText, "The name of the app; a11yd for an entry of the bus."),
      .maybe("uid", .count, "The user of the app."),
      .maybe("conn", .count, "The connection that the event came by; 0 for an entry of the bus."),
      .maybe("dedupe", .text(1...Limits.idBytes), "The key against duplicates that was given."),
      .maybe("label", .anyText, "The label of the line of a script; only from simulate."),
      .always("event", .object(event), "The event; its schema is found by its type."),
      .always("crc", .pattern("^[0-9a-f]{8}$"), "The CRC-32C of the line up to its comma."),
    ],
    meaning: "An entry of the log, as it stands in its file and on the wire."
  )

  private static let event = ObjectSchema(
    [.always("type", .words(WordSet.type.words.map(\.description)), "The type of the event.")],
    isOpen: true
  )

  // MARK: Decisions

  private static let decisions = [
    ObjectSchema.event(
      .focus,
      "The focus is somewhere else now, or its element is to be spoken again.",
      [
        .maybe("app", .anyText, "The app that has the focus."),
        .maybe("uid", .count, "The user of the app."),
        .maybe("window", .name, "The window that has the focus."),
        .always("element", .orNull(.name), "The element that has the focus; null: none."),
        .maybe("by", .seq, "The entry that has led to it."),
        .maybe("reason", .words(MoveReason.allCases.map(\.rawValue)), "The reason of the move."),
        .maybe("cause", .seq, "The user's action that has led to it."),
      ]
    ),
    ObjectSchema.event(.deliver, "Words for the readers.", delivery + subject),
    own(Silence.self),
    ObjectSchema.event(
      .outcome,
      "An event has ended, once and for all.",
      [
        .always("of", .seq, "The event that has ended."),
        .always("result", .words(Result.allCases.map(\.rawValue)), "How it has ended."),
        .maybe("by", .seq, "The entry that has brought the end about."),
        .always("rule", .anyText, "The name of the rule that has decided."),
        .always("why", .object(why), "The numbers that applied."),
      ] + subject
        + [.maybe("priority", priority, "The priority that the announcement had in the end.")]
    ),
    own(Gesture.self),
  ]

  private static let delivery: [ObjectSchema.Member] = [
    .always("of", .list(.seq), "The entries that it is about."),
    .maybe("to", .seq, "The connection of the reader that owns speech."),
    .always("speak", .list(.object(Description.run)), "The runs to speak; none for a sound alone."),
    .always("priority", priority, "The priority."),
    .maybe("interrupts", .count, "The deliver entry that it cuts; 0 for the user's own reading."),
    .maybe("interruptible", .flag, "The reader may stop it for words of its own."),
    .maybe(
      "earcon",
      .words(["screen", "boundary", "no-action", "sound"]),
      "The sound to play before the words."
    ),
    .maybe("late_ms", .count, "How late it is in milliseconds, from 1,000 on."),
    .maybe("boundary", .flag, "The user has come to an end: there is no more that way."),
    .maybe("again", .flag, "It was offered before, and cut or lost."),
    .maybe("truncated", .flag, "The text was too long, and is cut off."),
    .maybe(
      "summary",
      .object(
        ObjectSchema([
          .always("count", .seq, "How many events it stands for."),
          .always("from", .seq, "The first of them."),
          .always("to", .seq, "The last of them."),
        ])
      ),
      "It stands for events that are not spoken one by one."
    ),
  ]

  private static let priority = JSONSchema.words(Priority.allCases.map(\.rawValue))

  /// The event that a decision is about, for filters.
  private static let subject: [ObjectSchema.Member] = [
    .maybe("app", .anyText, "The app that the event is of."),
    .maybe("uid", .count, "The user of the app."),
    .maybe("window", .name, "The window that the event is about."),
    .maybe("element", .name, "The element that the event is about."),
  ]

  private static let why = ObjectSchema([
    .maybe("waited_ms", .anyInteger, "How long the event has waited, in milliseconds."),
    .maybe("window_ms", .anyInteger, "The quiet time that applied, in milliseconds."),
    .maybe("rate", .anyText, "The rate that applied, such as “1/2 s, burst 5”."),
    .maybe("due", .anyInteger, "When the rate would have let it pass, on the bus clock."),
    .maybe("ttl_ms", .anyInteger, "The time to start that it had, in milliseconds."),
    .maybe("heard_ms", .anyInteger, "How long it was heard, in milliseconds."),
    .maybe("estimated", .flag, "No report tells the end: it is estimated."),
    .maybe("elsewhere", .flag, "Another program has presented it."),
    .maybe(
      "behind",
      .words(["other-speech"]),
      "The reader could not begin before another program had spoken."
    ),
    .maybe("silent", .flag, "It had nothing to speak."),
    .maybe("sensitive", .flag, "Its text was a secret that the bus did not have any more."),
    .maybe("reason", .anyText, "A word for the reason, where no number tells it."),
    .maybe(
      "held_by",
      .words(Obstacle.allCases.map(\.rawValue)),
      "The obstacle that kept it from being heard."
    ),
    .maybe("from", .constant("event"), "The event itself has given the number that decided."),
    .maybe("count", .count, "How many there were, where a bound was met."),
    .maybe("focus", .object(AnswerSchemas.focus), "The answer to its wish for the focus."),
    .maybe(
      "suggestion",
      .object(
        ObjectSchema([
          .always("window", .name, "The window."),
          .always("element", .name, "The element."),
        ])
      ),
      "The place of a denied wish, to which the user could go."
    ),
  ])

  // MARK: Records

  private static let records = [
    own(Opened.self),
    ObjectSchema.event(.closed, "The bus was stopped in order.", []),
    ObjectSchema.event(.rules, "Other rules are in force from here on.", rules),
    own(ClientNews.self), own(Seat.self), own(Forgot.self),
    ObjectSchema.event(.forgotten, "The entry was forgotten: its seq and times remain.", []),
  ]

  private static func own<Entry: OwnEntry>(
    _ entry: Entry.Type
  ) -> (name: String, schema: ObjectSchema) {
    let schema = Entry.form.schema
    return ObjectSchema.event(Entry.type, schema.meaning ?? "", schema.members)
  }

  private static let rules: [ObjectSchema.Member] = [
    .always("hash", .anyText, "A hash of the rules, by which they are told apart."),
    .always("files", .list(.anyText), "The files that the rules come from."),
    .always("content", .list(.object(RuleSchemas.rule)), "The rules, in the order of reading."),
    .always("reader", .object(RuleSchemas.pace), "The pace that is assumed of readers."),
  ]
}

/// The schemas of the lines that are neither entries nor marks.
enum ReplySchemas {
  static let all: [(name: String, schema: ObjectSchema)] = [
    (
      "error",
      ObjectSchema(
        [id, .always("err", .object(Description.error), "The refusal.")],
        meaning: "The reply to a request that is refused."
      )
    ),
    (
      "warn",
      ObjectSchema(
        [
          .always(
            "warn",
            .object(
              ObjectSchema([.always("fields", .list(.anyText), "The paths to these fields.")])
            ),
            "Fields that the bus does not know, each named once on a connection."
          ), id,
        ],
        meaning: "Comes before the reply to a request with unknown fields."
      )
    ),
    (
      "bye",
      ObjectSchema(
        [.always("bye", .object(Description.error), "The reason.")],
        meaning: "The last line before the bus closes the connection by its own decision."
      )
    ),
  ]

  private static let id = ObjectSchema.Member.always(
    "id",
    .anyOf([.null, .text(1...Limits.idBytes), .anyInteger]),
    "The id of the request; null where it has none."
  )
}
