// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yPresenter
internal import A11yRules
package import A11yWire

/// The schemas of the entries that the bus writes, by the type of their events, and of the envelope
/// that every entry has.
///
/// A test holds them together with their writers: whole runs are checked against them, and each
/// member must have been seen.
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
    ObjectSchema.event(
      .silence,
      "Readers stop at once.",
      [
        .maybe("of", .seq, "The deliver entry that is cut; without it, all."),
        .maybe("by", .seq, "The entry that has led to it."),
        .maybe("hold", .flag, "It is a pause, after which the speech goes on."),
      ] + owner
    ),
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
    ObjectSchema.event(
      .gesture,
      "An action that an app is to carry out; its owner answers with handled within 1 s.",
      [
        .always("action", .seq, "The user's action."),
        .always("app", .anyText, "The app that is asked."),
        .always("uid", .count, "The user of the app."),
        .maybe("window", .name, "The window that is asked."),
        .maybe("element", .name, "The element that is asked."),
        .maybe("name", .anyText, "The name of the gesture, or of the custom action."),
        .maybe(
          "redacted",
          .words(LengthClass.allCases.map(\.rawValue)),
          "The length of a name that only its app may know: it gets a mark behind the line."
        ),
      ]
    ),
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
  private static let subject: [ObjectSchema.Member] =
    owner + [
      .maybe("window", .name, "The window that the event is about."),
      .maybe("element", .name, "The element that the event is about."),
    ]

  private static let owner: [ObjectSchema.Member] = [
    .maybe("app", .anyText, "The app that the event is of."),
    .maybe("uid", .count, "The user of the app."),
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
    ObjectSchema.event(
      .opened,
      "The bus has started.",
      [
        .always("server", .anyText, "The program and its version."),
        .always("epoch", .epoch, "The epoch of the numbering from here on."),
        .always("clock_offset", .anyInteger, "The bus clock minus the time since the boot."),
        .always("recovery", .object(recovery), "How the log was found."),
      ]
    ),
    ObjectSchema.event(.closed, "The bus was stopped in order.", []),
    ObjectSchema.event(.rules, "Other rules are in force from here on.", rules),
    ObjectSchema.event(
      .client,
      "A client has come, gone, or become a reader.",
      [
        .always(
          "state",
          .words(["joined", "listening", "unsubscribed", "left"]),
          "joined, left; or, of a reader, listening to deliveries or not any more."
        ),
        .always("app", .anyText, "The name of its app."),
        .always("uid", .count, "Its user."),
        .always("conn", .seq, "Its connection."),
        .maybe("client", .anyText, "The program and its version, as its hello names them."),
        .maybe("role", .words(["reader"]), "It is an assistive technology."),
        .maybe("speech", .integer(0...100), "The rank of the reader's voice."),
        .maybe("reports", .flag, "The reader reports every end of its speech."),
        .maybe("reason", .anyText, "Why the connection has ended."),
      ]
    ),
    ObjectSchema.event(
      .seat,
      "The users who sit at the machine have changed.",
      [
        .maybe(
          "uids",
          .list(.count),
          "The users whose windows may be active; absent: all."
        )
      ]
    ),
    ObjectSchema.event(
      .forgot,
      "The content of earlier entries is gone for good; copies of the log can follow.",
      [
        .always("ranges", .list(.list(.seq, 2...2)), "The first and last seqs of their runs."),
        .always("count", .seq, "How many they are."),
        .always("uid", .count, "The user who has asked for it."),
      ]
    ),
    ObjectSchema.event(.forgotten, "The entry was forgotten: its seq and times remain.", []),
  ]

  private static let recovery = ObjectSchema([
    .always("clean", .flag, "The last bus has closed the log."),
    .always("torn_bytes", .count, "The bytes of a last line that was never ended."),
    .always("new_epoch", .flag, "A new epoch has begun."),
    .maybe(
      "same_boot",
      .flag,
      "The machine has not been started anew since the last entry; what the user has asked of all"
        + " speech still holds."
    ),
    .always("quarantined", .count, "The pieces of damage that were put aside."),
    .maybe("known_from", .seq, "The first entry that the state is made from, if not of all."),
    .always(
      "damaged",
      .list(
        .object(
          ObjectSchema([
            .always("from", .seq, "The first entry that is lost."),
            .always("to", .seq, "The last entry that is lost."),
          ])
        )
      ),
      "The entries that were lost, 64 runs at most."
    ),
    .always("first", .count, "The first seq of the log."),
    .always("last", .count, "The last seq of the log before this entry."),
  ])

  private static let rules: [ObjectSchema.Member] = [
    .always("hash", .anyText, "A hash of the rules, by which they are told apart."),
    .always("files", .list(.anyText), "The files that the rules come from."),
    .always("content", .list(.object(RuleSchemas.rule)), "The rules, in the order of reading."),
    .always("reader", .object(RuleSchemas.pace), "The pace that is assumed of readers."),
  ]
}

/// The schemas of the lines that are no entries: marks, replies and the rest.
enum MarkSchemas {
  static let marks: [(name: String, schema: ObjectSchema)] = [
    mark(
      "state",
      "The first line of a subscription that has asked for the state.",
      [
        cursor,
        .always("state", .object(StateSchemas.state), "The state right after that entry."),
      ]
    ),
    mark("caught-up", "All that was there at the beginning has been sent; comes once.", [cursor]),
    mark("checkpoint", "Entries were passed over by the filter.", [cursor]),
    mark(
      "gap",
      "Entries are missing.",
      [
        .always("from", .seq, "The first entry that is missing."),
        .always("to", .seq, "The last entry that is missing."),
        .always(
          "reason",
          .words(["retention", "corruption", "storage"]),
          "Whether they were too old, were damaged, or could not be kept."
        ),
      ]
    ),
    mark(
      "skipped",
      "Entries were left out for newer ones, in mode latest.",
      [.always("count", .seq, "How many.")]
    ),
    mark(
      "secret",
      "Words that the log does not have, right behind the entry that lacks them; for readers, and"
        + " of a gesture for its app.",
      [
        .always("of", .seq, "The deliver or gesture entry."),
        .always(
          "kind",
          .words(["value", "text", "reading", "action"]),
          "The value of a secure element, the text of a sensitive event, the words of a screen"
            + " reader, or the name of an action."
        ),
        .maybe("speak", .list(.object(Description.run)), "The runs to speak in their place."),
        .maybe("name", .anyText, "The name of the action."),
      ]
    ),
    mark(
      "refused",
      "In what simulate prints, in the place of a line of the script that was refused.",
      [
        .always("line", .seq, "The line of the script."),
        .always("err", .object(Description.error), "The refusal."),
      ]
    ),
  ]

  /// The lines from the daemon that are neither entries nor marks.
  static let replies: [(name: String, schema: ObjectSchema)] = [
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

  private static let cursor = ObjectSchema.Member.always(
    "cursor",
    .cursor,
    "The place in the log: epoch and seq of the entry before it."
  )

  private static func mark(
    _ name: String,
    _ meaning: String,
    _ members: [ObjectSchema.Member]
  ) -> (name: String, schema: ObjectSchema) {
    let word = ObjectSchema.Member.always("mark", .constant(name), "The name of the mark.")
    return (name, ObjectSchema([word] + members, meaning: meaning))
  }
}
