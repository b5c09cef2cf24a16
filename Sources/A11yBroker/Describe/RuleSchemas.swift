// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yRules
internal import A11yWire

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
