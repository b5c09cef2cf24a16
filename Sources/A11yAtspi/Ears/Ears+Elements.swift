// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient

// Controls as the bus keeps them.
extension Ears {
  /// The most of a text that is spoken with the control in which it stands.
  private static let mostOfText = 160

  private typealias Field = (name: String, value: JSONValue?)

  /// A control as the bus keeps it; one that the bus knows loses what it has no more.
  static func element(
    _ source: SourceObject,
    _ found: ControlFacts,
    isKnown: Bool
  ) -> AppElement {
    fields(of: found).reduce(AppElement(source.element)) { element, field in
      guard let value = field.value ?? (isKnown ? .null : nil) else { return element }
      return element.with(field.name, value)
    }
  }

  /// The fields by which a control differs from what was told of it; none where it does not.
  static func change(
    of source: SourceObject,
    from old: ControlFacts,
    to new: ControlFacts
  ) -> AppElement? {
    let changes = zip(fields(of: old), fields(of: new)).filter { $0.value != $1.value }
    guard !changes.isEmpty else { return nil }
    return changes.reduce(AppElement(source.element)) { element, change in
      // The end of such a state is news, too.
      let isFlag = change.0.value == true
      return element.with(change.1.name, change.1.value ?? (isFlag ? false : .null))
    }
  }

  private static func fields(of control: ControlFacts) -> [Field] {
    let value = value(of: control)
    let states = control.states ?? AtspiStates()
    let opens = states[.expandable] || states[.expanded]
    return [
      ("label", .string(control.facts.name)),
      ("value", value.map(JSONValue.string)),
      ("hint", hint(of: control, value: value).map(JSONValue.string)),
      ("traits", .list(traits(of: control).map { .string($0.rawValue) })),
      ("role", control.facts.kind.map { .string($0.rawValue) }),
      ("checked", checked(control.facts, states)?.json),
      ("expanded", opens ? .flag(states[.expanded]) : nil),
      ("required", states[.required] ? true : nil),
      ("invalid", states[.invalid] ? true : nil),
      ("set", control.place?.json),
      ("lang", control.facts.language.map(JSONValue.string)),
    ]
  }

  private static func checked(
    _ facts: SourceFacts,
    _ states: AtspiStates
  ) -> AppElement.Checked? {
    let isPressed: Bool
    switch facts.role {
    case .checkBox, .radioButton, .checkMenuItem, .radioMenuItem: isPressed = false
    case .toggleButton, .switch: isPressed = states[.pressed]
    default:
      guard states[.checkable] else { return nil }
      isPressed = false
    }
    return states[.indeterminate] ? .mixed : states[.checked] || isPressed ? .yes : .no
  }

  private static func traits(of control: ControlFacts) -> [AppElement.Trait] {
    var traits = control.facts.role.traits
    guard let states = control.states else { return traits }
    if states[.selected], control.facts.role.isChosen { traits.append(.selected) }
    // A page that loads has neither state.
    if !states.isUsable, !control.facts.role.isPage { traits.append(.notEnabled) }
    return traits
  }

  /// The beginning of the text of a field, or of what is chosen; secrets have none.
  private static func value(of control: ControlFacts) -> String? {
    guard control.facts.role != .passwordText else { return nil }
    let text = AtspiSignal.plain(control.text ?? "")
    if text.isEmpty || text == control.facts.name { return nil }
    guard text.count > mostOfText else { return text }
    let beginning = text.prefix(mostOfText)
    let end = beginning.lastIndex(of: " ") ?? beginning.endIndex
    return "\(beginning[..<end])…"
  }

  /// Whether a description is the value once more, as some toolkits have it.
  static func repeats(_ description: String, _ value: String?) -> Bool {
    value != nil && (description == value || Double(description).map(spoken) == value)
  }

  /// The message about a value that is not accepted, and what describes the control.
  private static func hint(of control: ControlFacts, value: String?) -> String? {
    var description = AtspiSignal.plain(control.description)
    if description == control.facts.name || repeats(description, value) { description = "" }
    // The words in an empty field say what belongs there.
    if description.isEmpty, value == nil { description = control.facts.placeholder ?? "" }
    let error = AtspiSignal.plain(control.error ?? "")
    let message = description.contains(error) ? "" : error
    let parts = [message, control.keys, description]
    let hint = parts.filter { !$0.isEmpty }.joined(separator: ". ")
    return hint.isEmpty ? nil : hint
  }
}
