// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import A11yPosix
import DBus

// Questions about a control: all that is spoken of it.
extension SourceInquiry {
  /// The most of a field that is asked for.
  private static let mostOfField: Int64 = 512
  /// Objects of one relation that are asked for their names.
  private static let mostRelated = 4
  /// Boxes between a combo box and its button.
  private static let comboLevels = 3

  private typealias Found = (ControlFacts) -> Void

  /// Asks for everything that is spoken of the control with the focus.
  func askFocus(_ source: SourceObject, _ onAnswer: @escaping Answer) {
    askControl(source) { [unowned self] found in
      guard let found else { return onAnswer(.none) }
      askPlace(of: source, found) { [unowned self] found in
        DialogClimb(from: source, found.facts, asking: self).proceed { dialog in
          var found = found
          found.dialog = dialog
          onAnswer(.control(found))
        }
      }
    }
  }

  /// Asks for name, states, description and value of a control.
  func askControl(_ source: SourceObject, _ onAnswer: @escaping (ControlFacts?) -> Void) {
    var states: AtspiStates?
    var description = ""
    askStates(of: source) { states = $0 }
    property("Description", of: source) { description = $0?.text ?? "" }
    askFullFacts(source) { [unowned self] facts in
      guard let facts else { return onAnswer(nil) }
      let found = ControlFacts(facts, states: states, description: description)
      askRelations(of: source, found) { [unowned self] found in
        askInnerName(of: source, found) { [unowned self] found in
          askKeys(of: source, found) { [unowned self] in askText(of: source, $0, onAnswer) }
        }
      }
    }
  }

  /// Asks for the keys of an item of a toolkit's menu.
  private func askKeys(of source: SourceObject, _ found: ControlFacts, _ onAnswer: @escaping Found)
  {
    guard found.facts.role.isMenuItem, !found.facts.isOfPage else { return onAnswer(found) }
    call(source, "GetKeyBinding", in: GestureInquiry.action, [.int32(0)]) { answer in
      var found = found
      found.keys = AtspiKeys.shortcut(in: answer.first?.text ?? "")
      onAnswer(found)
    }
  }

  /// Asks for the texts in an item without a name, such as a row of a list.
  private func askInnerName(
    of source: SourceObject,
    _ found: ControlFacts,
    _ onAnswer: @escaping Found
  ) {
    guard found.facts.name.isEmpty, found.facts.role.hasPlace else { return onAnswer(found) }
    LabelWalk(asking: self).read(source) { texts in
      var found = found
      found.facts.name = texts.joined(separator: " ")
      onAnswer(found)
    }
  }

  /// Asks for the facts about an object, with its language.
  func askFullFacts(
    _ source: SourceObject,
    _ onAnswer: @escaping (SourceFacts?) -> Void
  ) {
    askFacts(source) { [unowned self] facts in
      guard facts?.isLive == true else { return askLanguage(of: source, facts, onAnswer) }
      var isTyped = false
      askStates(of: source) { isTyped = $0?[.editable] ?? false }
      askLanguage(of: source, facts) { onAnswer(isTyped ? $0?.ofTypedText : $0) }
    }
  }

  // MARK: Value

  private func askText(of source: SourceObject, _ found: ControlFacts, _ onAnswer: @escaping Found)
  {
    let finish = { (text: String?) in
      var found = found
      found.text = text
      onAnswer(found)
    }
    let role = found.facts.role
    if role.isField || role.isPassage, found.facts.role != .passwordText {
      askField(source, finish)
    } else if role.hasValue {
      askValue(source) { answer in
        guard case .value(let present, _, _, let text) = answer, present.isFinite else {
          return finish(nil)
        }
        finish(text ?? Ears.spoken(present))
      }
    } else if role == .comboBox {
      askChoice(source, finish)
    } else if role == .toggleButton || role.isButton && found.facts.name.isEmpty,
      !found.facts.isOfPage
    {
      // The button of GTK 4.18 has the name of its box, and stands in it.
      let levels = found.facts.name.isEmpty ? Self.comboLevels : 1
      askComboBox(around: source, within: levels) { [unowned self] box, facts, text in
        guard let facts else { return askAction(of: source, found, onAnswer) }
        var found = found
        (found.box, found.facts, found.text) = (box, facts, text)
        onAnswer(found)
      }
    } else {
      onAnswer(found)
    }
  }

  /// Asks for the combo box whose button has the focus, as GTK's has, and for its choice.
  private func askComboBox(
    around source: SourceObject,
    within levels: Int,
    _ onAnswer: @escaping (SourceObject?, SourceFacts?, String?) -> Void
  ) {
    property("Parent", of: source) { [unowned self] answer in
      guard levels > 0, let parent = Self.object(answer, of: source.sender) else {
        return onAnswer(nil, nil, nil)
      }
      askFacts(parent) { [unowned self] facts in
        guard let facts, facts.role == .comboBox else {
          return askComboBox(around: parent, within: levels - 1, onAnswer)
        }
        askRelations(of: parent, ControlFacts(facts)) { [unowned self] box in
          askChoice(parent) { onAnswer(parent, box.facts, $0) }
        }
      }
    }
  }

  /// Takes a toggle button whose action is to toggle for the switch that it is: the action of GTK
  /// 3's toggle buttons is a click.
  private func askAction(
    of source: SourceObject,
    _ found: ControlFacts,
    _ onAnswer: @escaping Found
  ) {
    guard found.facts.role == .toggleButton else { return onAnswer(found) }
    call(source, "GetName", in: GestureInquiry.action, [.int32(0)]) { answer in
      var found = found
      if answer.first?.text == "toggle" { found.facts = found.facts.ofSwitch }
      onAnswer(found)
    }
  }

  /// Asks for the text of a combo box, else for the name of what is selected in it or in its menu.
  func askChoice(_ source: SourceObject, _ onAnswer: @escaping (String?) -> Void) {
    // Firefox gives nothing of a text that is asked for beyond its end.
    let whole = [DBusValue.int32(0), .int32(-1)]
    call(source, "GetText", in: TextWalk.text, whole) { [unowned self] answer in
      let text = AtspiSignal.plain(answer.first?.text ?? "")
      if !text.isEmpty { return onAnswer(text) }
      askSelected(in: source) { [unowned self] name in
        if let name { return onAnswer(name) }
        askChildren(source) { [unowned self] children in
          guard let first = children.first else { return onAnswer(nil) }
          askSelected(in: first) { [unowned self] name in
            if let name { return onAnswer(name) }
            askFacts(first) { [unowned self] facts in
              // That of a box in which one types is the text of the field in it.
              if facts?.role.isField == true { return askField(first, onAnswer) }
              // Firefox has the text of a box that a page draws itself as a label in it.
              onAnswer(facts.flatMap { $0.role.isLabel ? $0.name : nil })
            }
          }
        }
      }
    }
  }

  private func askSelected(in source: SourceObject, _ onAnswer: @escaping (String?) -> Void) {
    call(source, "GetSelectedChild", in: "org.a11y.atspi.Selection", [.int32(0)]) {
      [unowned self] answer in
      guard let item = Self.object(answer.first, of: source.sender) else { return onAnswer(nil) }
      property("Name", of: item) { onAnswer($0?.text.flatMap { $0.isEmpty ? nil : $0 }) }
    }
  }

  /// Asks for the beginning of the text in a field.
  private func askField(_ source: SourceObject, _ onAnswer: @escaping (String?) -> Void) {
    property("CharacterCount", in: TextWalk.text, of: source) { [unowned self] answer in
      guard let count = answer?.number, count > 0 else { return onAnswer(nil) }
      let end = Int32(min(count, Self.mostOfField))
      call(source, "GetText", in: TextWalk.text, [.int32(0), .int32(end)]) { answer in
        onAnswer(answer.first?.text)
      }
    }
  }

  // MARK: Relations

  /// Relations by AT-SPI's numbers.
  static let labelFor: Int64 = 1
  private static let labelledBy: Int64 = 2
  private static let errorMessage: Int64 = 21

  /// Asks for the labels of a control without a name, and for the message about a wrong value.
  private func askRelations(
    of source: SourceObject,
    _ found: ControlFacts,
    _ onAnswer: @escaping Found
  ) {
    let isInvalid = found.states?[.invalid] ?? false
    // Toolkits name a combo box by its choice.
    let isByChoice = !found.facts.isOfPage && found.facts.role == .comboBox
    let isNamed = !found.facts.name.isEmpty && !isByChoice
    guard !isNamed || isInvalid else { return onAnswer(found) }
    askRelated(to: source) { [unowned self] related in
      let labels = isNamed ? [] : related[Self.labelledBy] ?? []
      let errors = isInvalid ? related[Self.errorMessage] ?? [] : []
      askTexts(of: labels[...]) { [unowned self] name in
        askTexts(of: errors[...]) { error in
          var found = found
          if !name.isEmpty { found.facts.name = name }
          if !error.isEmpty { found.error = error }
          onAnswer(found)
        }
      }
    }
  }

  /// Asks for the objects to which an object is related, by the kind of the relation.
  func askRelated(
    to source: SourceObject,
    _ onAnswer: @escaping ([Int64: [SourceObject]]) -> Void
  ) {
    call(source, "GetRelationSet") { answer in
      var related: [Int64: [SourceObject]] = [:]
      for relation in answer.first?.members ?? [] where relation.members.count == 2 {
        guard let kind = relation.members[0].number else { continue }
        related[kind] = relation.members[1].members.prefix(Self.mostRelated)
          .compactMap { Self.object($0, of: source.sender) }
      }
      onAnswer(related)
    }
  }

  /// Asks objects for their texts, one after the other.
  private func askTexts(
    of objects: ArraySlice<SourceObject>,
    _ texts: [String] = [],
    _ onAnswer: @escaping (String) -> Void
  ) {
    guard let first = objects.first else {
      return onAnswer(AtspiSignal.plain(texts.joined(separator: " ")))
    }
    TextWalk(asking: self).readObject(first) { [unowned self] text, _ in
      askTexts(of: objects.dropFirst(), texts + [text ?? ""], onAnswer)
    }
  }

  // MARK: Place

  /// Asks for the place of an item that does not tell it itself.
  private func askPlace(of source: SourceObject, _ found: ControlFacts, _ onAnswer: @escaping Found)
  {
    let isCell = found.facts.role == .tableCell
    guard found.place == nil, found.facts.role.hasPlace || isCell else { return onAnswer(found) }
    if isCell, !found.facts.isOfPage {
      return RowWalk(asking: self).read(around: source, found, onAnswer)
    }
    var index: Int64?
    call(source, "GetIndexInParent") { index = $0.first?.number }
    property("Parent", of: source) { [unowned self] answer in
      guard let index, let parent = Self.object(answer, of: source.sender) else {
        return onAnswer(found)
      }
      let finish = { (index: Int64?, count: Int64?) in
        var found = found
        if let index, let count { found.place = SetPlace(index + 1, of: count) }
        onAnswer(found)
      }
      guard isCell else {
        return property("ChildCount", of: parent) { finish(index, $0?.number) }
      }
      let table = "org.a11y.atspi.Table"
      var row: Int64?
      call(parent, "GetRowAtIndex", in: table, [.int32(Int32(clamping: index))]) {
        row = $0.first?.number
      }
      property("NRows", in: table, of: parent) { finish(row, $0?.number) }
    }
  }
}
