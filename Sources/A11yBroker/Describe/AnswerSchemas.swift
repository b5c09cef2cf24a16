// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yAdvice
internal import A11yExplain
internal import A11yPresenter
internal import A11yRules
package import A11yWire

/// The schemas of the object `ok` in the replies to requests.
package enum AnswerSchemas {
  /// Appends the members of the answer to `describe`.
  package static func writeAnswer(_ quotas: Quotas, into out: inout ByteBuffer) {
    out.append(member: "protocol", Protocol.version)
    out.append(member: "limits")
    Description.writeLimits(quotas, into: &out)
    out.append(vocabulary.span)
  }

  /// The members that are the same in every answer: rendered once, since they are long.
  private static let vocabulary: [UInt8] = {
    var out = ByteBuffer(capacity: Limits.answerBytes)
    // Each member then begins with a comma.
    out.append(" ")
    Description.writeVocabulary(answer: answerSchema, into: &out)
    out.appendSchemas("entries", EntrySchemas.all)
    out.appendSchemas("marks", MarkSchemas.marks)
    out.appendSchemas("replies", MarkSchemas.replies)
    AdviceCode.writeDescription(into: &out)
    return out.bytes.extracting(1..<out.count).array
  }()

  private static func answerSchema(_ operation: Operation) -> ObjectSchema {
    switch operation {
    case .hello: hello
    case .publish: publish
    case .subscribe:
      ObjectSchema([.always("cursor", .cursor, "The lines that follow come after it.")])
    case .unsubscribe: ObjectSchema([])
    case .state: StateSchemas.state
    case .explain: explain
    case .rules: rules
    case .reload: reload
    case .stats: StatsSchemas.stats
    case .ping: ObjectSchema([.always("last", .count, "The last seq.")])
    case .forget: ObjectSchema([.always("count", .count, "How many entries were forgotten.")])
    case .describe: describe
    }
  }

  private static let hello = ObjectSchema([
    .always("protocol", .anyInteger, "The version of the protocol."),
    .always("server", .anyText, "The program and its version."),
    .always("epoch", .epoch, "The epoch of the log, a life of its numbering."),
    .always("epochs", .list(.object(epochStart)), "The epochs of the log, the oldest first."),
    .always("first", .count, "The first seq that the log has."),
    .always("last", .count, "The last seq that the log has."),
    .always("conn", .seq, "The number of this connection, as entries have it."),
    .always("uid", .count, "The user, as the kernel tells it."),
    .always("roles", .list(.anyText), "The role of the socket, and reader if it was asked for."),
    .always("limits", .object(Description.limits), "The limits of this bus."),
    .always("durability", .object(durability), "How safe an event is that was taken."),
    .always("features", .list(.anyText), "The parts of the protocol that this bus has."),
  ])

  private static let epochStart = ObjectSchema([
    .always("epoch", .epoch, "The epoch."),
    .always("ordinal", .seq, "Its number among the epochs of this log, from 1."),
    .always("began", .count, "When it began, in microseconds since 1970."),
    .always("first", .seq, "Its first seq."),
  ])

  private static let level = JSONSchema.words(WordSet.acknowledgement.words.map(\.description))

  private static let durability = ObjectSchema([
    .always("level", level, "The way that an event has gone when it is answered."),
    .always("loss_window_ms", .count, "The time within which a loss of power can lose an event."),
    .always("degraded", .flag, "Whether the disk fails, so that events may be lost."),
  ])

  private static let publish = ObjectSchema([
    .always("seq", .seq, "The number of the entry that the event has become."),
    .always("durability", level, "The way that the event has gone."),
    .maybe("duplicate", .flag, "The key was used before; seq is the first event with it."),
    .maybe("focus", .object(focus), "The answer to the event's wish for the focus."),
    .maybe("warnings", .list(.object(warning)), "Advice on style, 16 warnings at most."),
  ])

  private static let warning = ObjectSchema([
    .always("code", .words(AdviceCode.allCases.map(\.rawValue)), "The kind of the warning."),
    .always("field", .anyText, "The path to the field that is meant."),
    .always("msg", .anyText, "A sentence that says what to do."),
  ])

  /// The answer to a wish for the focus.
  static let focus = ObjectSchema([
    .always(
      "result",
      .words(FocusAnswer.Result.allCases.map(\.rawValue)),
      "Whether it has moved, stays where it is as it should, or the wish was denied."
    ),
    .maybe("reason", .anyText, "Why the wish was denied."),
    .maybe("seq", .seq, "The entry that says where the focus is now."),
  ])

  private static let explain = ObjectSchema([
    .always("entry", .object(ObjectSchema([], isOpen: true)), "The entry, as it is stored."),
    .always(
      "outcome",
      .orNull(.object(ObjectSchema([], isOpen: true))),
      "The entry that ends it, as it is stored; null: none."
    ),
    .maybe("pending", .object(pending), "How it waits."),
    .maybe("result", .anyText, "How it has ended."),
    .always("rule", .orNull(.anyText), "The rule that has decided, or that it waits for."),
    .always("why", .object(ObjectSchema([], isOpen: true)), "The numbers, as in the outcome."),
    .always("related", .list(.object(relative)), "Entries with a relation to it, by seq."),
    .always("sentence", .anyText, "All of it in words, for people."),
  ])

  private static let pending = ObjectSchema([
    .always("state", .words(Pending.State.allCases.map(\.rawValue)), "How it waits."),
    .always("by", StateSchemas.obstacle, "The obstacle that holds it."),
    .always("due", .orNull(.anyInteger), "When it goes on by itself, on the bus clock."),
  ])

  private static let relative = ObjectSchema([
    .always("seq", .seq, "The entry."),
    .always("relation", .words(Relation.allCases.map(\.rawValue)), "Its relation."),
  ])

  private static let reload = ObjectSchema([
    .always("rules", .seq, "The entry of the rules that are in force now."),
    .always("problems", .list(.object(problem)), "Mistakes for which all stays as it was."),
    .maybe("more_problems", .seq, "Mistakes that did not fit into the answer."),
  ])

  private static let problem = ObjectSchema([
    .always("file", .anyText, "The file or directory that it is in."),
    .maybe("line", .seq, "Its line; absent where the whole file is meant."),
    .maybe("column", .seq, "Its column, with the line."),
    .always("msg", .anyText, "A sentence that says what was expected."),
  ])

  private static let rules = ObjectSchema([
    .always("hash", .anyText, "A hash of the rules, by which they are told apart."),
    .always("files", .list(.anyText), "The files that rules come from, 256 at most."),
    .always("builtin", .list(.anyText), "The names of the built-in rules."),
    .always("effective", .list(.object(effective)), "The settings in force, by kinds of events."),
    .maybe("more_effective", .seq, "Rows that did not fit into the answer."),
    .always("rules", .list(.object(RuleSchemas.rule)), "The rules, in the order of reading."),
    .maybe("more_rules", .seq, "Rules that did not fit into the answer."),
    .always("reader", .object(RuleSchemas.pace), "The pace that is assumed of readers."),
  ])

  private static let effective = ObjectSchema([
    .always("type", .words(Topic.allCases.map(\.rawValue)), "The kind of events."),
    .maybe("class", .list(.anyText), "Their classes; * for unknown words."),
    .maybe("priority", .list(.words(Priority.allCases.map(\.rawValue))), "Their priorities."),
    .maybe("cause", .words(Causation.allCases.map(\.rawValue)), "Their cause."),
    .maybe("continuous", .flag, "Whether scrolling goes on."),
    .maybe("focused", .flag, "Whether their element has the focus."),
    .maybe("foreground", .flag, "Whether their app is in the foreground."),
    .always("settings", .object(RuleSchemas.sourced), "The settings, each with its origin."),
    .always(
      "also",
      .list(.object(RuleSchemas.source)),
      "Rules that may apply as well, by what only the event can tell."
    ),
  ])

  private static let describe = ObjectSchema([
    .always("protocol", .anyInteger, "The version of the protocol."),
    .always("limits", .object(Description.limits), "The limits of this bus."),
    .always("codes", .map(of: .anyText), "The codes of errors, each with the way out."),
    .always("ops", schemas, "Requests by operation; $defs/ok is the answer's schema."),
    .always("events", schemas, "Events that clients publish; $defs/stored is as the log has it."),
    .always("entries", schemas, "Events that the bus writes, and the envelope of all entries."),
    .always("marks", schemas, "Lines of a subscription that are no entries."),
    .always("replies", schemas, "Other lines from the bus: error, warn, bye."),
    .always("warnings", .map(of: .anyText), "The codes of warnings, each in a few words."),
  ])

  private static let schemas = JSONSchema.map(of: .object(ObjectSchema([], isOpen: true)))
}
