// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// A line of a subscription that is no entry.
package enum Mark {
  /// The state right after the entry that the cursor names.
  case state(Picture, Cursor)
  case caughtUp(Cursor)
  case checkpoint(Cursor)
  /// Entries that are gone, both ends included.
  case gap(from: Seq, to: Seq, reason: GapReason)
  /// Words that are to be spoken at a deliver entry that withholds them.
  case secret(Secret)
  /// Entries that were left out for newer ones, in mode `latest`.
  case skipped(count: Int)

  package enum GapReason: String, CaseIterable {
    case retention, corruption, storage
  }

  /// The beginning of a secret's line, and of no other.
  package static var secretBeginning: StaticString { "{\"mark\":\"secret\"" }

  package func write(into out: inout ByteBuffer) {
    switch self {
    case .state(let picture, let cursor): MarkForms.state.write((picture, cursor), into: &out)
    case .caughtUp(let cursor): MarkForms.caughtUp.write(cursor, into: &out)
    case .checkpoint(let cursor): MarkForms.checkpoint.write(cursor, into: &out)
    case .gap(let from, let to, let reason): MarkForms.gap.write((from, to, reason), into: &out)
    case .secret(let secret): MarkForms.secret.write(secret, into: &out)
    case .skipped(let count): MarkForms.skipped.write(count, into: &out)
    }
  }
}

/// The form of a mark: a line that begins with its name.
package struct MarkForm<Source>: Sendable {
  private let name: String
  private let form: ObjectForm<Source>

  init(_ name: String, _ meaning: String, _ members: [ObjectForm<Source>.Member]) {
    self.name = name
    let word = ObjectForm<Source>.Member.constant("mark", name, "The name of the mark.")
    form = ObjectForm([word] + members, meaning: meaning)
  }

  package func write(_ source: Source, into out: inout ByteBuffer) {
    out.object { form.write(source, into: &$0) }
    out.append("\n")
  }

  var described: (name: String, schema: ObjectSchema) { (name, form.schema) }
}

/// The marks, as they are written and described.
package enum MarkForms {
  static let all = [
    state.described, caughtUp.described, checkpoint.described, gap.described, skipped.described,
    secret.described, refused.described,
  ]

  private static let cursor = "The place in the log: epoch and seq of the entry before it."

  fileprivate static let state = MarkForm<(picture: Picture, cursor: Cursor)>(
    "state",
    "The first line of a subscription that has asked for the state.",
    [
      .always("cursor", .cursor, cursor, \.cursor),
      .always(
        "state",
        ValueForm(.object(StateSchemas.state)) { mark, out in
          mark.picture.writeState(cursor: mark.cursor, into: &out)
        },
        "The state right after that entry."
      ) { $0 },
    ]
  )
  fileprivate static let caughtUp = MarkForm<Cursor>(
    "caught-up",
    "All that was there at the beginning has been sent; comes once.",
    [.always("cursor", .cursor, cursor) { $0 }]
  )
  fileprivate static let checkpoint = MarkForm<Cursor>(
    "checkpoint",
    "Entries were passed over by the filter.",
    [.always("cursor", .cursor, cursor) { $0 }]
  )
  fileprivate static let gap = MarkForm<(from: Seq, to: Seq, reason: Mark.GapReason)>(
    "gap",
    "Entries are missing.",
    [
      .always("from", .seq, "The first entry that is missing.", \.from),
      .always("to", .seq, "The last entry that is missing.", \.to),
      .always(
        "reason",
        .word,
        "Whether they were too old, were damaged, or could not be kept.",
        \.reason
      ),
    ]
  )
  fileprivate static let skipped = MarkForm<Int>(
    "skipped",
    "Entries were left out for newer ones, in mode latest.",
    [.always("count", .seq, "How many.") { $0 }]
  )
  fileprivate static let secret = MarkForm<Secret>(
    // As `secretBeginning` has it.
    "secret",
    "Words that the log does not have, right behind the entry that lacks them; for readers, and of"
      + " a gesture for its app.",
    [
      .always("of", .seq, "The deliver or gesture entry.", \.of),
      .always(
        "kind",
        .word,
        "The value of a secure element, the text of a sensitive event, the words of a screen"
          + " reader, or the name of an action.",
        \.kind
      ),
      .maybe(
        "speak",
        ValueForm(.list(.object(Description.run))) { runs, out in
          out.array { $0.append(runs.span) }
        },
        "The runs to speak in their place."
      ) { $0.kind == .action ? nil : $0.speak },
      .maybe(
        "masked",
        .anyText,
        "The words for a value that is not said aloud: how many characters it has.",
        \.masked
      ),
      .maybe(
        "name",
        ValueForm(.anyText) { $1.append($0.span) },
        "The name of the action."
      ) { $0.kind == .action ? $0.speak : nil },
    ]
  )
  /// Of what `simulate` prints; no subscription has it.
  package static let refused = MarkForm<(line: Int64, error: [UInt8])>(
    "refused",
    "In what simulate prints, in the place of a line of the script that was refused.",
    [
      .always("line", .seq, "The line of the script.", \.line),
      .always(
        "err",
        ValueForm(.object(Description.error)) { $1.append($0.span) },
        "The refusal.",
        \.error
      ),
    ]
  )
}
