// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

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
          .words(["value", "text", "action"]),
          "The value of a secure element, the text of a sensitive event, or the name of an action."
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
