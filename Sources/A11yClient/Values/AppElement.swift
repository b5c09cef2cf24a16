// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A control or text in a window, as a reader knows it.
///
/// Only the given fields are sent; the bus merges them into its knowledge of the element.
public struct AppElement: Hashable, Sendable {
  /// The kind, the state or the effect of an element.
  public enum Trait: String, Hashable, Sendable, CaseIterable {
    /// It can be pressed.
    case button
    /// It leads somewhere else.
    case link
    /// It is text that does not change by itself.
    case staticText = "static-text"
    /// Words to search for are typed in it.
    case searchField = "search-field"
    /// It is a picture.
    case image
    /// It is a key of a keyboard on the screen.
    case keyboardKey = "keyboard-key"
    /// It is the heading of the elements after it.
    case header
    /// It is chosen.
    case selected
    /// It cannot be used now.
    case notEnabled = "not-enabled"
    /// Its value can be raised and lowered.
    case adjustable
    /// It takes touches itself.
    case allowsDirectInteraction = "allows-direct-interaction"
    /// It plays a sound of its own when used.
    case playsSound = "plays-sound"
    /// Its label or value changes often.
    case updatesFrequently = "updates-frequently"
    /// Using it starts sound or video during which a reader should be quiet.
    case startsMediaSession = "starts-media-session"
    /// It sums up its app when that becomes active.
    case summaryElement = "summary-element"
    /// When it has been read, the next page is wanted.
    case causesPageTurn = "causes-page-turn"
    /// Text is typed in it.
    case textField = "text-field"
    /// Its value is a secret.
    case secure
  }

  /// What an element is, spoken in the place of its traits' word.
  public enum Role: String, Hashable, Sendable, CaseIterable {
    /// It can be pressed.
    case button
    /// It is checked or not.
    case checkbox
    /// It names a column.
    case columnHeader = "column-header"
    /// One of several is chosen, or typed.
    case comboBox = "combo-box"
    /// A container that asks or tells something; its label and hint are told on the way into it.
    case dialog
    /// A dialog that warns.
    case alertDialog = "alert-dialog"
    /// It stands in a row and a column.
    case gridCell = "grid-cell"
    /// It is the heading of the elements after it.
    case heading
    /// It is a picture.
    case image
    /// It leads somewhere else.
    case link
    /// It is one of a list.
    case listItem = "list-item"
    /// It is one of a menu.
    case menuItem = "menu-item"
    /// It can be chosen, as one of a list.
    case option
    /// It tells how far something is.
    case progressBar = "progress-bar"
    /// One of its group is checked.
    case radio
    /// It is a row of a table.
    case row
    /// It names a row.
    case rowHeader = "row-header"
    /// Its value is moved between two bounds.
    case slider
    /// Its value is raised, lowered or typed.
    case spinButton = "spin-button"
    /// It is on or off.
    case `switch`
    /// It shows one page of several.
    case tab
    /// Text is typed in it.
    case textField = "text-field"
    /// It is pressed and stays so.
    case toggleButton = "toggle-button"
    /// It is one of a tree.
    case treeItem = "tree-item"
  }

  /// Whether something is checked, pressed or on.
  public enum Checked: Hashable, Sendable {
    case yes, no
    /// Some of what it stands for is.
    case mixed

    package var json: JSONValue {
      switch self {
      case .yes: true
      case .no: false
      case .mixed: .string("mixed")
      }
    }
  }

  /// The id of the app's choice, unique within its window.
  public let id: String
  private(set) var fields: [JSONValue.Member]

  /// An element with the given fields.
  ///
  /// - Parameters:
  ///   - id: The id of the app's choice.
  ///   - label: The name: short, without the kind of control.
  ///   - value: The value.
  ///   - hint: The effect of using it, as a sentence.
  ///   - traits: The kind and the state.
  ///   - parent: The container that it stands in.
  public init(
    _ id: String,
    label: String? = nil,
    value: String? = nil,
    hint: String? = nil,
    traits: [Trait]? = nil,
    parent: String? = nil
  ) {
    self.id = id
    fields = [.init("id", .string(id))]
    if let parent { fields.append(.init("parent", .string(parent))) }
    if let label { fields.append(.init("label", .string(label))) }
    if let value { fields.append(.init("value", .string(value))) }
    if let hint { fields.append(.init("hint", .string(hint))) }
    if let traits { fields.append(.init("traits", .list(traits.map { .string($0.rawValue) }))) }
  }

  /// The same element with one more field, as it stands on the wire; `.null` takes a field away.
  public func with(_ name: String, _ value: JSONValue) -> AppElement {
    var element = self
    element.fields.removeAll { $0.name == name }
    element.fields.append(.init(name, value))
    return element
  }

  /// The same element, told more exactly than by traits.
  public func role(_ role: Role) -> AppElement { with("role", .string(role.rawValue)) }

  /// The same element, checked, pressed or on, or not.
  public func checked(_ checked: Checked) -> AppElement { with("checked", checked.json) }

  /// The same element, with what belongs to it shown or not.
  public func expanded(_ isExpanded: Bool = true) -> AppElement {
    with("expanded", .flag(isExpanded))
  }

  /// The same element, to be filled in, or not necessarily.
  public func required(_ isRequired: Bool = true) -> AppElement {
    with("required", .flag(isRequired))
  }

  /// The same element with a value that is not accepted, or is again.
  public func invalid(_ isInvalid: Bool = true) -> AppElement {
    with("invalid", .flag(isInvalid))
  }

  /// The same element at this place, from 1, of so many that belong together.
  public func place(_ index: Int64, of count: Int64) -> AppElement {
    with("set", .object([.init("index", .integer(index)), .init("count", .integer(count))]))
  }

  /// The same element at a place on the screen.
  public func frame(x: Int64, y: Int64, width: Int64, height: Int64) -> AppElement {
    with("frame", .list([.integer(x), .integer(y), .integer(width), .integer(height)]))
  }

  /// The same element at this place among its siblings, from 0.
  public func index(_ index: Int64) -> AppElement { with("index", .integer(index)) }

  /// The same element, covering the rest of its window, or no longer.
  public func modal(_ isModal: Bool = true) -> AppElement { with("modal", .flag(isModal)) }

  /// The same element, hidden with everything in it, or shown.
  public func hidden(_ isHidden: Bool = true) -> AppElement { with("hidden", .flag(isHidden)) }

  /// The same element with the app's word on whether readers stop at it.
  public func accessible(_ isAccessible: Bool) -> AppElement {
    with("accessible", .flag(isAccessible))
  }

  /// The same element with texts in this language, as in `de-AT`.
  public func language(_ tag: String) -> AppElement { with("lang", .string(tag)) }

  /// The same element with its own actions, by the names that users hear.
  public func actions(_ names: [String]) -> AppElement {
    with("actions", .list(names.map(JSONValue.string)))
  }

  /// The same element, asking for these gestures.
  public func responds(to responses: [Response]) -> AppElement {
    with("responds", .list(responses.map { .string($0.rawValue) }))
  }

  /// A gesture that travels outwards from the focus until an element has handled it.
  public enum Response: String, Hashable, Sendable, CaseIterable {
    /// Leave what is open.
    case escape
    /// Do what matters most.
    case magicTap = "magic-tap"
  }

  var json: JSONValue { .object(fields) }
}
