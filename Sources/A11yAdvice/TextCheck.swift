// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// Checks a text to be spoken: a string, or runs with their attributes.
enum TextCheck {
  /// Checks for a text too long to be spoken, which its number of bytes nearly always rules out.
  static func checkLoss(_ event: borrowing WireEvent, into list: inout AdviceList) {
    guard let text = event.member(.text) else { return }
    let line = event.line
    switch line.kind(text) {
    case .string:
      guard line.raw(text).count > TextLength.longest else { return }
      TextLength.checkLoss(line.scalarCount(text), into: &list)
    case .list:
      var characters = 0
      var run = text + 1
      while run < line.end(text) {
        if let words = line.member("text", of: run), line.kind(words) == .string {
          characters += line.scalarCount(words)
        }
        run = line.end(run)
      }
      TextLength.checkLoss(characters, into: &list)
    case .object, .number, .yes, .no, .null: break
    }
  }

  /// Checks the style of a text.
  ///
  /// `isAnnouncement` says whether it should be one sentence, which a message between people need
  /// not be.
  static func checkStyle(
    _ event: borrowing WireEvent,
    isAnnouncement: Bool,
    into list: inout AdviceList
  ) {
    guard let text = event.member(.text) else { return }
    // A secret is not quoted, not even to its publisher.
    let isSensitive = event.flag(.sensitive)
    let isString = event.line.kind(text) == .string
    if !isString, !isSensitive { checkRuns(text, event.line, into: &list) }
    event.line.withText(text) { bytes in
      TextLength.checkLength(bytes, into: &list)
      guard !isSensitive else { return }
      let phrase = Phrase(bytes)
      if isAnnouncement { SentenceCount.checkSentences(phrase, into: &list) }
      guard isString else { return }
      Spelling(in: phrase).advise(on: phrase, .text, canSpell: true, into: &list)
    }
  }

  /// Checks each run by itself, because it may be in a language of its own.
  private static func checkRuns(
    _ text: JSONIndex,
    _ line: JSONDocument,
    into list: inout AdviceList
  ) {
    guard line.kind(text) == .list else { return }
    var position = 0
    var run = text + 1
    while run < line.end(text) {
      if let words = line.member("text", of: run), !line.saysHow(run) {
        let language = line.language(of: run)
        line.withText(words) { bytes in
          let phrase = Phrase(bytes, language)
          Spelling(in: phrase).advise(on: phrase, .run(position), canSpell: true, into: &list)
        }
      }
      position += 1
      run = line.end(run)
    }
  }
}

extension JSONDocument {
  fileprivate func scalarCount(_ value: JSONIndex) -> Int {
    isEscaped(value) ? raw(value).unescaped.span.scalarCount : raw(value).scalarCount
  }

  fileprivate func language(of run: JSONIndex) -> Language {
    guard let tag = member("lang", of: run), kind(tag) == .string else { return .unknown }
    return Language(raw(tag))
  }

  /// Whether a run states its own pronunciation.
  fileprivate func saysHow(_ run: JSONIndex) -> Bool {
    if let spell = member("spell", of: run), kind(spell) == .yes { return true }
    return member("ipa", of: run) != nil
  }
}
