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
  /// The value of a password field, of so many characters.
  let bullets: CountedSentence
  let appList: AppList
  private let table: [(trait: UInt32, role: String)]
  private let ownRoles: [(role: StaticString, word: String)]

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
    let checkbox: String
    let columnHeader: String
    let comboBox: String
    let dialog: String
    let alertDialog: String
    let cell: String
    let listItem: String
    let menuItem: String
    let option: String
    let progressBar: String
    let radio: String
    let row: String
    let rowHeader: String
    let slider: String
    let spinButton: String
    let `switch`: String
    let tab: String
    let toggleButton: String
    let treeItem: String
  }

  /// The words for how an element is.
  struct States: Sendable {
    let selected: String
    let notSelected: String
    let dimmed: String
    let available: String
    let checked: Pair
    let partlyChecked: String
    /// Of a switch.
    let on: Pair
    /// Of a toggle button.
    let pressed: Pair
    let expanded: Pair
    let required: String
    /// A value that is not accepted.
    let invalid: Pair
    /// The place in a set, with `{index}` and `{count}`.
    let place: String
  }

  /// The words for a state that is so, and for one that is not.
  struct Pair: Sendable {
    private let yes: String
    private let no: String

    init(_ yes: String, _ no: String) { (self.yes, self.no) = (yes, no) }

    subscript(isSo: Bool) -> String { isSo ? yes : no }
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
    bullets: CountedSentence,
    appList: AppList
  ) {
    self.plurals = plurals
    self.roles = roles
    self.states = states
    self.more = more
    self.missed = missed
    self.bullets = bullets
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
    ownRoles = [
      ("button", roles.button), ("checkbox", roles.checkbox),
      ("column-header", roles.columnHeader), ("combo-box", roles.comboBox),
      ("dialog", roles.dialog), ("alert-dialog", roles.alertDialog), ("grid-cell", roles.cell),
      ("heading", roles.heading), ("image", roles.image), ("link", roles.link),
      ("list-item", roles.listItem), ("menu-item", roles.menuItem), ("option", roles.option),
      ("progress-bar", roles.progressBar), ("radio", roles.radio), ("row", roles.row),
      ("row-header", roles.rowHeader), ("slider", roles.slider),
      ("spin-button", roles.spinButton), ("switch", roles.switch), ("tab", roles.tab),
      ("text-field", roles.textField), ("toggle-button", roles.toggleButton),
      ("tree-item", roles.treeItem),
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
    case .swedish: swedish
    }
  }

  /// The words for a text whose language an app has named; nil where there are none.
  static func of(tag: [UInt8]) -> OwnWords? { WordLanguage(tag: tag.span).map(of) }

  // MARK: What is said

  /// The words for what an element is, in their order: that of its role, else those of its traits.
  func roles(_ traits: UInt32, _ role: [UInt8]?, _ body: (String) -> Void) {
    let known = role.flatMap { role in ownRoles.first { role.span.equals($0.role) } }
    guard let known else {
      for (trait, word) in table where traits & trait != 0 { body(word) }
      return
    }
    if traits & Traits.secure != 0 { body(roles.secure) }
    body(known.word)
  }

  /// The words for how it is, where that is not as usual.
  func states(_ now: Model.States, _ role: [UInt8]?, _ body: (String) -> Void) {
    if let checked = now.checked { body(word(checked, role)) }
    if let isExpanded = now.isExpanded { body(states.expanded[isExpanded]) }
    if now.isSelected { body(states.selected) }
    if now.isDisabled { body(states.dimmed) }
    if now.isRequired { body(states.required) }
    if now.isInvalid { body(states.invalid[true]) }
  }

  /// The words for what has changed in it.
  func changes(
    from old: Model.States,
    to new: Model.States,
    _ role: [UInt8]?,
    _ body: (String) -> Void
  ) {
    if let checked = new.checked, checked != old.checked { body(word(checked, role)) }
    if let isExpanded = new.isExpanded, isExpanded != old.isExpanded {
      body(states.expanded[isExpanded])
    }
    if new.isSelected != old.isSelected {
      body(new.isSelected ? states.selected : states.notSelected)
    }
    if new.isDisabled != old.isDisabled {
      body(new.isDisabled ? states.dimmed : states.available)
    }
    if new.isInvalid != old.isInvalid { body(states.invalid[new.isInvalid]) }
  }

  private func word(_ checked: Model.Checked, _ role: [UInt8]?) -> String {
    let isSo = checked == .yes
    if checked == .mixed { return states.partlyChecked }
    if role?.span.equals("switch") == true { return states.on[isSo] }
    return role?.span.equals("toggle-button") == true ? states.pressed[isSo] : states.checked[isSo]
  }

  /// “2 of 5”.
  func place(_ place: Model.SetPlace) -> String {
    states.place.replacing("{index}", with: "\(place.index)")
      .replacing("{count}", with: "\(place.count)")
  }

  func more(_ count: Int64, from apps: [AppKey]) -> String {
    more.phrase(plurals.form(of: count), count, list(apps))
  }

  func missed(_ count: Int64, of apps: [AppKey]) -> String {
    missed.phrase(plurals.form(of: count), count, list(apps))
  }

  func bullets(_ count: Int) -> String {
    bullets.phrase(plurals.form(of: Int64(count)), Int64(count), "")
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

/// The forms that words take beside a number, by the names that CLDR gives them.
enum PluralForm: CaseIterable {
  case zero, one, two, few, many, other
}

/// The form for a number, by the rules of CLDR for whole numbers.
///
/// A whole number of millions has a form of its own in French, Spanish, Italian and Portuguese; no
/// summary counts so far, and `other` is said there.
enum PluralRule {
  /// One, and all others.
  case oneAlone
  /// None is told as one is.
  case noneAsOne
  case polish, russian, arabic

  func form(of count: Int64) -> PluralForm {
    switch self {
    case .oneAlone: count == 1 ? .one : .other
    case .noneAsOne: 0...1 ~= count ? .one : .other
    case .polish: count == 1 ? .one : Self.isFew(count) ? .few : .many
    case .russian:
      count % 10 == 1 && count % 100 != 11 ? .one : Self.isFew(count) ? .few : .many
    case .arabic: Self.arabicForm(of: count)
    }
  }

  /// Whether it ends in two, three or four, and not as twelve, thirteen and fourteen do.
  private static func isFew(_ count: Int64) -> Bool {
    2...4 ~= count % 10 && !(12...14 ~= count % 100)
  }

  private static func arabicForm(of count: Int64) -> PluralForm {
    switch count {
    case 0: .zero
    case 1: .one
    case 2: .two
    default:
      switch count % 100 {
      case 3...10: .few
      case 11...99: .many
      default: .other
      }
    }
  }
}

/// A sentence with a number in it, in every form that its language has.
struct CountedSentence: Sendable, ExpressibleByDictionaryLiteral {
  let forms: [(form: PluralForm, text: String)]

  init(dictionaryLiteral forms: (PluralForm, String)...) { self.forms = forms }

  /// The sentence in a form, with the number in the place of `{count}` and the apps in that of
  /// `{apps}`.
  func phrase(_ form: PluralForm, _ count: Int64, _ apps: String) -> String {
    let sentence = forms.first { $0.form == form } ?? forms.last
    var text = ""
    var rest = (sentence?.text ?? "")[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      text += rest[..<open]
      text += rest[open...close] == "{count}" ? "\(count)" : apps
      rest = rest[rest.index(after: close)...]
    }
    return text + rest
  }
}
