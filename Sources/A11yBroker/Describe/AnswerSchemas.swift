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
    out.appendSchemas("marks", MarkForms.all)
    out.appendSchemas("replies", ReplySchemas.all)
    AdviceCode.writeDescription(into: &out)
    return out.bytes.extracting(1..<out.count).array
  }()

  private static func answerSchema(_ operation: Operation) -> ObjectSchema {
    switch operation {
    case .hello: Greeting.form.schema
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

  private static let publish = ObjectSchema([
    .always("seq", .seq, "The number of the entry that the event has become."),
    .always(
      "durability",
      .words(WordSet.acknowledgement.words.map(\.description)),
      "The way that the event has gone."
    ),
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

/// The schema of the answer to `stats`.
enum StatsSchemas {
  static let stats = ObjectSchema([
    .always("server", .anyText, "The program and its version."),
    .always("pid", .seq, "The number of the process."),
    .always("reloads", .object(reloads), "Reloads of the configuration."),
    .always("uptime_ms", .count, "Milliseconds since the start."),
    .always("connections", .count, "Connections."),
    .always("turns", .count, "Turns of the loop since the start."),
    .always("log", .object(log), "The log."),
    .always("requests", .count, "Requests since the start."),
    .always("published", .count, "Events that were taken since the start."),
    .always("duplicates", .count, "Events whose key was used before."),
    .always("entries", .count, "Entries since the start."),
    .always("refused", .object(refused), "Refusals since the start, by code."),
    .always("outcomes", .object(outcomes), "Events that have ended since the start, by result."),
    .always("presenter", .object(presenter), "The events that wait."),
    .always("apps", .list(.object(AppTally.form.schema)), "The apps, the last 256 of them."),
    .always("subscribers", .list(.object(subscriber)), "The subscribers, 256 at most."),
  ])

  private static let reloads = ObjectSchema([
    .always("count", .count, "How many there were."),
    .maybe("refused", .anyText, "Why the last one was refused."),
  ])

  private static let log = ObjectSchema([
    .always("epoch", .epoch, "The epoch."),
    .always("first", .count, "The first seq."),
    .always("last", .count, "The last seq."),
    .always("synced", .count, "The last seq that the medium has confirmed."),
    .always("segments", .count, "Files of entries."),
    .always("bytes", .count, "Bytes of the log."),
    .always("degraded", .flag, "Whether the disk fails."),
  ])

  private static let refused = ObjectSchema(
    RefusalCode.allCases.map { .maybe($0.rawValue, .seq, "Refusals with the code \($0.rawValue).") }
  )

  private static let outcomes = ObjectSchema(
    Result.allCases.map { .always($0.rawValue, .count, "Events that ended \($0.rawValue).") }
  )

  private static let presenter = ObjectSchema([
    .always("pending", .object(pending), "The events that wait or are being spoken."),
    .always("tables", .object(tables), "Rows of the tables."),
    .always("readers", .count, "Readers that listen."),
  ])

  private static let pending = ObjectSchema([
    .always("all", .count, "All of them."),
    .always("held", .count, "Those that wait for anything but their turn."),
    .always("queued", .count, "Those that wait for their turn."),
    .always("speaking", .count, "Those that are being spoken."),
    .always("queue", .count, "Places taken in the queue."),
    .always("queue_low", .count, "Places taken by low events."),
    .always("queue_high", .count, "Places taken by high events."),
    .always("queue_bound", .count, "Places that there are."),
  ])

  private static let tables = ObjectSchema([
    .always("windows", .count, "Keys whose quiet time runs."),
    .always("memory", .count, "Sources whose last words are remembered."),
    .always("rates", .count, "Sources whose rate is followed."),
    .always("storms", .count, "Storms."),
    .always("busy", .count, "Busy elements."),
    .always("bound", .count, "Rows that each of these may have."),
    .always("actions", .count, "Actions whose feedback is told apart."),
    .always("actions_bound", .count, "Actions that there may be."),
  ])

  private static let subscriber = ObjectSchema([
    .always("conn", .seq, "The connection."),
    .always("app", .anyText, "The name of its app."),
    .always("at", .count, "The last entry that it was sent."),
    .always("behind", .count, "The entries that it was not sent yet."),
    .always("unread_bytes", .count, "Bytes that it has not read."),
    .maybe("speech", .integer(0...100), "The rank of a reader's voice."),
  ])
}

/// The schema of the state: focus, windows, reader and the events that wait.
enum StateSchemas {
  static let state = ObjectSchema([
    .always("cursor", .cursor, "The place in the log that it is the state of."),
    .always("focus", .orNull(.object(focus)), "The focus; null: nowhere."),
    .always("windows", .list(.object(window)), "The windows, in the order in which they came."),
    .always("reader", .object(reader), "The reader."),
    .always("do_not_disturb", .integer(0...100), "The level of do-not-disturb."),
    .always("pending", .list(.object(pending)), "The events that wait or are being spoken."),
  ])

  private static let focus = ObjectSchema([
    .always("seq", .seq, "The focus entry that has set it."),
    .always("app", .anyText, "The app."),
    .always("window", .name, "The window."),
    .always("element", .name, "The element."),
    .always(
      "suggestion",
      .orNull(.object(suggestion)),
      "The place to which an app has asked the focus in vain; null: none."
    ),
  ])

  private static let suggestion = ObjectSchema([
    .always("seq", .seq, "The event that has asked."),
    .always("app", .anyText, "The app."),
    .always("window", .name, "The window."),
    .always("element", .name, "The element."),
    .always("reason", .anyText, "Why the wish was denied."),
  ])

  private static let window = ObjectSchema([
    .always("app", .anyText, "The app."),
    .always("window", .name, "The window."),
    .always("state", .words(WordSet.windowState.words.map(\.description)), "Its state."),
    .always("title", .orNull(.anyText), "Its title, if the app has told one."),
    .always("modal", .flag, "Whether it covers the rest of its app."),
    .always("focus", .orNull(.name), "The element that has the focus when it becomes active."),
  ])

  private static let reader = ObjectSchema([
    .always("running", .flag, "Whether a screen reader runs."),
    .always("name", .orNull(.anyText), "Its name, if it has told one."),
    .always("conn", .orNull(.seq), "The connection of the reader that owns speech."),
  ])

  private static let pending = ObjectSchema([
    .always("seq", .seq, "The event."),
    .always("type", .anyText, "Its type."),
    .always("app", .anyText, "Its app."),
    .always("priority", .words(Priority.allCases.map(\.rawValue)), "Its priority."),
    .always("state", .words(Pending.State.allCases.map(\.rawValue)), "How it waits."),
    .always("by", obstacle, "The obstacle that holds it; null while it is being spoken."),
    .always("due", .orNull(.anyInteger), "When it goes on by itself, on the bus clock."),
  ])

  static let obstacle = JSONSchema.orNull(.words(Obstacle.allCases.map(\.rawValue)))
}

/// The schemas of rules, as the entry `rules` and the answer to `rules` have them.
enum RuleSchemas {
  static let rule = ObjectSchema([
    .always("name", .anyText, "The name of the rule."),
    .maybe("file", .anyText, "The file that it stands in; without it, it is built in."),
    .maybe("line", .seq, "The line in the file."),
    .maybe("column", .seq, "The column in the line."),
    .always("match", .object(matchers), "The events that it is for: all of these must fit."),
    .always("set", .object(settings), "The settings that it gives."),
  ])

  static let pace = ObjectSchema([
    .always("ms_per_char", .count, "Milliseconds for a character."),
    .always("grace_ms", .count, "Milliseconds that speech may take beyond its characters."),
    .maybe("language", .anyText, "The language of the bus's own words; en without it."),
    .maybe("hints", .flag, "Whether hints are spoken; true without it."),
    .maybe("states", .flag, "Whether states are spoken; true without it."),
  ])

  private static let texts = JSONSchema.anyOf([.anyText, .list(.anyText)])
  private static let value = JSONSchema.anyOf([.anyText, .anyInteger, .flag, .list(.anyText)])

  private static let matchers = ObjectSchema(
    MatcherKey.allCases.map { key in
      switch key {
      case .foreground: .maybe(key.rawValue, .flag, "Whether its app is in the foreground.")
      case .focused: .maybe(key.rawValue, .flag, "Whether its element has the focus.")
      case .continuous: .maybe(key.rawValue, .flag, "Whether scrolling goes on.")
      case .app: .maybe(key.rawValue, texts, "Patterns of names of apps.")
      case .window: .maybe(key.rawValue, texts, "Patterns of ids of windows.")
      case .element: .maybe(key.rawValue, texts, "Patterns of ids of elements.")
      case .text: .maybe(key.rawValue, texts, "Patterns of texts.")
      case .type: .maybe(key.rawValue, texts, "Types of events.")
      case .class: .maybe(key.rawValue, texts, "Classes of announcements.")
      case .priority: .maybe(key.rawValue, texts, "Priorities.")
      case .trait: .maybe(key.rawValue, texts, "Traits of the element.")
      case .cause: .maybe(key.rawValue, texts, "Causes: auto, user.")
      case .origin: .maybe(key.rawValue, texts, "Bridges that events come through.")
      }
    }
  )

  private static let settings = ObjectSchema(
    SettingKey.allCases.map { .maybe($0.rawValue, value, meaning(of: $0)) }
  )

  /// The settings in force, each with its origin.
  static let sourced = ObjectSchema(
    SettingKey.allCases.map { key in
      .maybe(
        key.rawValue,
        .object(
          ObjectSchema([.always("value", value, "The value in force.")] + source.members)
        ),
        meaning(of: key)
      )
    }
  )

  /// The place that a setting comes from.
  static let source = ObjectSchema([
    .always("rule", .anyText, "The rule that gives it."),
    .maybe("file", .anyText, "The file of the rule; without it, the rule is built in."),
    .maybe("line", .seq, "The line in the file."),
  ])

  private static func meaning(of key: SettingKey) -> String {
    switch key {
    case .key: "The parts by which events count as values of one thing."
    case .leading: "Whether the first of a burst goes out at once."
    case .debounce: "How long nothing of the key may come before the newest goes on."
    case .maxWait: "The longest time that the newest waits for quiet."
    case .rate: "How many may go out in a time."
    case .burst: "How many may go out at once."
    case .over: "Over the rate: defer, merge or demote."
    case .dedupe: "The time within which the same words are not repeated."
    case .ttl: "The time within which speech must begin."
    case .mode: "How events of one key stand to each other."
    case .priority: "The priority that the event is given."
    case .present: "How it is presented: speech, sound or log."
    case .onlyIfUser: "Whether it is heard only if the user has caused it."
    case .hold: "How long it waits behind the feedback of an action."
    case .maxChars: "The characters after which a text is cut off."
    }
  }
}
