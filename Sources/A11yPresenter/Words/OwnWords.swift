// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// All that is said in our own words, in one language: roles and states, and how many there were of
/// what is not said one by one.
///
/// Each language is a file of `Languages`. A new one needs a case of `WordLanguage`, too.
final class OwnWords: Sendable {
  let plurals: PluralRule
  let roles: Roles
  let states: States
  /// So many of these apps, beside what was said.
  let more: CountedSentence
  /// So many of these apps while nobody was to be disturbed.
  let missed: CountedSentence
  let appList: AppList
  private let table: [(trait: UInt32, role: String)]

  /// The words for what an element is.
  struct Roles: Sendable {
    let secure: String
    let textField: String
    let searchField: String
    let button: String
    let link: String
    let image: String
    let key: String
    let heading: String
    let adjustable: String
  }

  /// The words for how an element is.
  struct States: Sendable {
    let selected: String
    let notSelected: String
    let dimmed: String
    let available: String
  }

  /// The words between the names of apps, and those for the apps that are not named.
  struct AppList: Sendable {
    let comma: String
    let and: String
    let otherApps: String
  }

  init(
    plurals: PluralRule,
    roles: Roles,
    states: States,
    more: CountedSentence,
    missed: CountedSentence,
    appList: AppList
  ) {
    self.plurals = plurals
    self.roles = roles
    self.states = states
    self.more = more
    self.missed = missed
    self.appList = appList
    // The order in which they are said.
    table = [
      (Traits.bit("secure"), roles.secure),
      (Traits.bit("text-field"), roles.textField),
      (Traits.bit("search-field"), roles.searchField),
      (Traits.bit("button"), roles.button),
      (Traits.bit("link"), roles.link),
      (Traits.bit("image"), roles.image),
      (Traits.bit("keyboard-key"), roles.key),
      (Traits.bit("header"), roles.heading),
      (Traits.bit("adjustable"), roles.adjustable),
    ]
  }

  static func of(_ language: WordLanguage) -> OwnWords {
    switch language {
    case .english: english
    case .german: german
    case .french: french
    case .spanish: spanish
    case .italian: italian
    case .portuguese: portuguese
    case .dutch: dutch
    case .polish: polish
    case .russian: russian
    case .arabic: arabic
    }
  }

  /// The words for a text whose language an app has named; nil where there are none.
  static func of(tag: [UInt8]) -> OwnWords? { WordLanguage(tag: tag.span).map(of) }

  // MARK: What is said

  /// The words for what an element is, in their order.
  func roles(_ traits: UInt32, _ body: (String) -> Void) {
    for (trait, role) in table where traits & trait != 0 { body(role) }
  }

  /// The words for how it is, where that is not as usual.
  func states(_ traits: UInt32, _ body: (String) -> Void) {
    if traits & Traits.selected != 0 { body(states.selected) }
    if traits & Traits.notEnabled != 0 { body(states.dimmed) }
  }

  func isSelected(_ isSo: Bool) -> String { isSo ? states.selected : states.notSelected }

  func isDisabled(_ isSo: Bool) -> String { isSo ? states.dimmed : states.available }

  func more(_ count: Int64, from apps: [AppKey]) -> String {
    more.phrase(plurals.form(of: count), count, list(apps))
  }

  func missed(_ count: Int64, of apps: [AppKey]) -> String {
    missed.phrase(plurals.form(of: count), count, list(apps))
  }

  /// "Mail, Chat and Notes"; of many apps some are named.
  private func list(_ apps: [AppKey]) -> String {
    var names: [String] = []
    for app in apps.prefix(Bounds.namedApps) where !names.contains(app.app.text) {
      names.append(app.app.text)
    }
    if apps.count > Bounds.namedApps { names.append(appList.otherApps) }
    guard names.count > 1, let last = names.popLast() else {
      return names.first ?? appList.otherApps
    }
    return names.joined(separator: appList.comma) + appList.and + last
  }
}
