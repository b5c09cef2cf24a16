// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import DBus

/// A look at the text of an object, with the texts of the objects that stand in it.
///
/// A message of a page has some ten objects; the bounds are for one that is a whole page.
final class TextWalk {
  static let text = "org.a11y.atspi.Text"

  private let inquiry: SourceInquiry
  private var asked = 0

  private static let mostObjects = 32
  private static let mostDepth = 8
  private static let sign: Unicode.Scalar = "\u{fffc}"

  init(asking inquiry: SourceInquiry) { self.inquiry = inquiry }

  /// Reads an object; nil where it has no text and no name.
  func readObject(
    _ source: SourceObject,
    depth: Int = 0,
    _ onEnd: @escaping (_ text: String?, _ inner: [SourceObject]) -> Void
  ) {
    guard asked < Self.mostObjects, depth < Self.mostDepth else { return onEnd(nil, []) }
    asked += 1
    var isNamed = false
    var name: String?
    inquiry.call(source, "GetRole") { answer in
      isNamed = answer.first?.number.map { AtspiRole($0).isNamed } ?? false
    }
    inquiry.askOwnName(of: source) { name = $0 }
    inquiry.call(source, "GetText", in: Self.text, [.int32(0), .int32(-1)]) { answer in
      // The text in a control that its page names is never read.
      if isNamed, let name { return onEnd(name, []) }
      guard let text = answer.first?.text, !text.isEmpty else {
        return self.readWithoutText(source, depth, onEnd)
      }
      self.readParts(of: text, at: 0, in: source, depth: depth) { parts in
        let inner = parts.flatMap { [$0.source] + $0.inner }
        onEnd(Self.join(text, parts.map(\.text)), inner)
      }
    }
  }

  /// Reads an object that has a name alone, or objects in it.
  private func readWithoutText(
    _ source: SourceObject,
    _ depth: Int,
    _ onEnd: @escaping (String?, [SourceObject]) -> Void
  ) {
    inquiry.property("Name", of: source) { answer in
      if let name = answer?.text, !name.isEmpty, !SourceFacts.isClass(name) {
        return onEnd(name, [])
      }
      self.readMembers(of: source, depth: depth) { parts in
        let text = parts.map(\.text).filter { !$0.isEmpty }.joined(separator: " ")
        onEnd(text.isEmpty ? nil : text, parts.flatMap { [$0.source] + $0.inner })
      }
    }
  }

  /// Reads the objects in an object.
  func readMembers(
    of source: SourceObject,
    depth: Int = 0,
    _ onEnd: @escaping ([TextPart]) -> Void
  ) {
    inquiry.askChildren(source) { children in
      self.readAll(children[...], depth + 1, [], onEnd)
    }
  }

  /// Reads the objects whose signs are in a text; the text begins at a place in the object.
  func readParts(
    of text: String,
    at start: Int64,
    in source: SourceObject,
    depth: Int = 0,
    _ onEnd: @escaping ([TextPart]) -> Void
  ) {
    askObjects(of: text, at: start, in: source) { objects in
      self.readAll(objects[...], depth + 1, [], onEnd)
    }
  }

  /// Asks for the objects whose signs are in a text.
  func askObjects(
    of text: String,
    at start: Int64,
    in source: SourceObject,
    _ onEnd: @escaping ([SourceObject]) -> Void
  ) {
    let places = text.unicodeScalars.enumerated().filter { $0.element == Self.sign }.map(\.offset)
    guard let first = places.first else { return onEnd([]) }
    let hypertext = "org.a11y.atspi.Hypertext"
    let place = DBusValue.int32(Int32(clamping: start + Int64(first)))
    inquiry.call(source, "GetLinkIndex", in: hypertext, [place]) { answer in
      guard let index = answer.first?.number, index >= 0 else { return onEnd([]) }
      self.askLinks(of: source, from: index, places.prefix(Self.mostObjects).count, onEnd)
    }
  }

  /// Asks for the objects of neighbouring links, in their order.
  private func askLinks(
    of source: SourceObject,
    from index: Int64,
    _ count: Int,
    _ onEnd: @escaping ([SourceObject]) -> Void
  ) {
    var objects: [SourceObject?] = Array(repeating: nil, count: count)
    var left = count
    for number in 0..<count {
      let link = DBusValue.int32(Int32(clamping: index + Int64(number)))
      inquiry.call(source, "GetLink", in: "org.a11y.atspi.Hypertext", [link]) { answer in
        let finish: (SourceObject?) -> Void = { object in
          objects[number] = object
          left -= 1
          if left == 0 { onEnd(objects.compactMap { $0 }) }
        }
        guard let link = SourceInquiry.object(answer.first, of: source.sender) else {
          return finish(nil)
        }
        self.inquiry.call(link, "GetObject", in: "org.a11y.atspi.Hyperlink", [.int32(0)]) {
          finish(SourceInquiry.object($0.first, of: source.sender))
        }
      }
    }
  }

  /// Reads objects one after the other.
  private func readAll(
    _ objects: ArraySlice<SourceObject>,
    _ depth: Int,
    _ parts: [TextPart],
    _ onEnd: @escaping ([TextPart]) -> Void
  ) {
    guard let first = objects.first, asked < Self.mostObjects else { return onEnd(parts) }
    readObject(first, depth: depth) { text, inner in
      let part = TextPart(first, text ?? "", inner: inner)
      self.readAll(objects.dropFirst(), depth, parts + [part], onEnd)
    }
  }

  /// A text with other texts in the places of objects.
  private static func join(_ text: String, _ parts: [String]) -> String {
    var left = parts[...]
    return text.unicodeScalars.split(separator: sign, omittingEmptySubsequences: false)
      .map(String.init)
      .reduce(nil as String?) { whole, piece in
        guard let whole else { return piece }
        return "\(whole) \(left.popFirst() ?? "") \(piece)"
      } ?? ""
  }
}

/// A look into an alert or a dialog for the texts in it that are not those of its controls, in
/// their order.
///
/// A dialog has some twenty objects; the bounds are for one that is a whole page.
final class LabelWalk {
  private let inquiry: SourceInquiry
  private var ahead: [SourceObject] = []
  private var asked = 0
  private var texts: [String] = []
  private var title = ""

  private static let mostObjects = 64
  /// More is read by the user, who is in the dialog.
  private static let mostCharacters = 500

  init(asking inquiry: SourceInquiry) { self.inquiry = inquiry }

  func read(_ dialog: SourceObject, _ onEnd: @escaping ([String]) -> Void) {
    ahead = [dialog]
    proceed(onEnd)
  }

  /// Texts as sentences, at most 500 characters of them.
  static func sentences(_ texts: [String]) -> String {
    let sentences = texts.map { $0.last?.isPunctuation ?? true ? $0 : "\($0)." }
    return String(sentences.joined(separator: " ").prefix(mostCharacters))
  }

  /// Asks the next object; the walk is kept by the question that is under way.
  private func proceed(_ onEnd: @escaping ([String]) -> Void) {
    let length = texts.reduce(0) { $0 + $1.count + 1 }
    guard !ahead.isEmpty, asked < Self.mostObjects, length <= Self.mostCharacters else {
      return onEnd(texts)
    }
    let source = ahead.removeFirst()
    asked += 1
    var children: [SourceObject] = []
    var isShown = true
    inquiry.askStates(of: source) { isShown = $0?[.showing] ?? true }
    inquiry.askChildren(source) { children = $0 }
    inquiry.askFacts(source) { facts in
      // A program that does not answer about one object is not asked about the others.
      guard let facts else {
        self.ahead = []
        return self.proceed(onEnd)
      }
      // What a page has further down is scrolled to; what a toolkit hides is not there.
      guard isShown || facts.isOfPage || self.asked == 1 else { return self.proceed(onEnd) }
      // Toolkits complain of such a question to an object without a text, and name their labels.
      guard facts.isOfPage else { return self.consider(source, facts, "", children, onEnd) }
      let whole = [DBusValue.int32(0), .int32(-1)]
      self.inquiry.call(source, "GetText", in: TextWalk.text, whole) { answer in
        self.consider(source, facts, answer.first?.text ?? "", children, onEnd)
      }
    }
  }

  private func consider(
    _ source: SourceObject,
    _ facts: SourceFacts,
    _ text: String,
    _ children: [SourceObject],
    _ onEnd: @escaping ([String]) -> Void
  ) {
    if asked == 1 { title = facts.name }
    // The labels of a page's controls are their names.
    if facts.role.isControl || facts.attributes["tag"] == "label" { return proceed(onEnd) }
    let words = AtspiSignal.plain(text)
    if facts.role.isPassage, !words.isEmpty {
      return TextWalk(asking: inquiry).readObject(source) { text, _ in
        self.note(AtspiSignal.plain(text ?? ""))
        self.proceed(onEnd)
      }
    }
    ahead = children.prefix(Self.mostObjects) + ahead
    guard facts.role.isLabel, asked > 1 else {
      note(words)
      return proceed(onEnd)
    }
    let label = words.isEmpty ? facts.name : words
    guard !facts.isOfPage else {
      note(label)
      return proceed(onEnd)
    }
    inquiry.askRelated(to: source) { related in
      if related[SourceInquiry.labelFor] == nil { self.note(label) }
      self.proceed(onEnd)
    }
  }

  /// Keeps a text, unless an object around it has told it.
  private func note(_ text: String) {
    guard !text.isEmpty, text != title, texts.last?.contains(text) != true else { return }
    texts.append(text)
  }
}

/// A look along the row of a cell of a toolkit's table: one cell alone says little of a row.
///
/// The cells of a sheet stand for themselves, and nobody counts its rows.
final class RowWalk {
  private let inquiry: SourceInquiry
  private var cells: [Cell] = []

  private struct Cell {
    var name = ""
    var states = AtspiStates()
    var isToggled = false
  }

  private static let table = "org.a11y.atspi.Table"
  private static let mostColumns: Int64 = 8
  private static let mostRows: Int64 = 65_536

  init(asking inquiry: SourceInquiry) { self.inquiry = inquiry }

  /// Answers with the place and the row of a cell, and with whether it can be checked.
  func read(
    around source: SourceObject,
    _ found: ControlFacts,
    _ onEnd: @escaping (ControlFacts) -> Void
  ) {
    var index: Int64?
    inquiry.call(source, "GetIndexInParent") { index = $0.first?.number }
    inquiry.property("Parent", of: source) { parent in
      guard let index, let table = SourceInquiry.object(parent, of: source.sender) else {
        return onEnd(found)
      }
      let place = DBusValue.int32(Int32(clamping: index))
      var row: Int64?
      var columns: Int64 = 0
      self.inquiry.call(table, "GetRowAtIndex", in: Self.table, [place]) { row = $0.first?.number }
      self.inquiry.property("NColumns", in: Self.table, of: table) { columns = $0?.number ?? 0 }
      self.inquiry.property("NRows", in: Self.table, of: table) { rows in
        guard let row, let rows = rows?.number, rows <= Self.mostRows else { return onEnd(found) }
        var found = found
        found.place = SetPlace(row + 1, of: rows)
        self.find(table, row, 0, min(columns, Self.mostColumns)) { [self] in
          let toggles = cells.filter(\.isToggled)
          let isChecked = toggles.count == 1 ? toggles[0].states[.checked] : nil
          let texts = cells.map { AtspiSignal.plain($0.name) }.filter { !$0.isEmpty }
          found.row = ControlFacts.Row(table, row, texts, isChecked: isChecked)
          onEnd(found)
        }
      }
    }
  }

  /// Asks the cells of a row one after the other, from a column on.
  private func find(
    _ table: SourceObject,
    _ row: Int64,
    _ column: Int64,
    _ end: Int64,
    _ onEnd: @escaping () -> Void
  ) {
    guard column < end else { return onEnd() }
    let place = [DBusValue.int32(Int32(clamping: row)), .int32(Int32(clamping: column))]
    inquiry.call(table, "GetAccessibleAt", in: Self.table, place) { answer in
      let proceed = { self.find(table, row, column + 1, end, onEnd) }
      guard let source = SourceInquiry.object(answer.first, of: table.sender) else {
        return proceed()
      }
      var cell = Cell()
      self.inquiry.askStates(of: source) { cell.states = $0 ?? AtspiStates() }
      self.inquiry.call(source, "GetName", in: GestureInquiry.action, [.int32(0)]) {
        cell.isToggled = $0.first?.text == "toggle"
      }
      self.inquiry.property("Name", of: source) { answer in
        cell.name = answer?.text ?? ""
        self.cells.append(cell)
        proceed()
      }
    }
  }
}
