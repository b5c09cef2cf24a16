// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yAtspi
import DBus

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
    inquiry.call(source, "GetState") { answer in
      let words = (answer.first?.members ?? []).compactMap(\.number)
      if !words.isEmpty { isShown = AtspiStates(words: words)[.showing] }
    }
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
