// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// A text to be spoken: a string, or runs with their attributes.
struct Speech {
  private let text: JSONIndex
  /// Whether it should be one sentence: what people write to each other need not.
  private let isAnnouncement: Bool

  /// What is too long to be spoken, which nearly always its bytes alone rule out.
  static func lookForLoss(_ event: borrowing WireEvent, into list: inout AdviceList) {
    guard let text = event.member(.text) else { return }
    let line = event.line
    switch line.kind(text) {
    case .string:
      guard line.raw(text).count > TextLength.longest else { return }
      TextLength.lookForLoss(line.scalarCount(text), into: &list)
    case .list:
      var characters = 0
      var run = text + 1
      while run < line.end(text) {
        if let words = line.member("text", of: run), line.kind(words) == .string {
          characters += line.scalarCount(words)
        }
        run = line.end(run)
      }
      TextLength.lookForLoss(characters, into: &list)
    case .object, .number, .yes, .no, .null: break
    }
  }

  static func look(
    _ event: borrowing WireEvent,
    isAnnouncement: Bool,
    into list: inout AdviceList
  ) {
    guard let text = event.member(.text) else { return }
    let speech = Speech(text: text, isAnnouncement: isAnnouncement)
    let isSensitive = event.flag(.sensitive)
    switch event.line.kind(text) {
    case .string: speech.lookAtString(isSensitive: isSensitive, event.line, into: &list)
    case .list: speech.lookAtRuns(isSensitive: isSensitive, event.line, into: &list)
    case .object, .number, .yes, .no, .null: break
    }
  }

  private func lookAtString(
    isSensitive: Bool,
    _ line: JSONDocument,
    into list: inout AdviceList
  ) {
    let scan = line.scan(text)
    TextLength.look(scan.characters, into: &list)
    // A secret is not repeated, not even to whom it is from.
    guard scan.isWorthALook, !isSensitive else { return }
    let phrase = Phrase(line.string(text), .unknown)
    if isAnnouncement { SentenceCount.look(phrase, into: &list) }
    Spelling.look(phrase, "event.text", canSpell: true, into: &list)
  }

  private func lookAtRuns(
    isSensitive: Bool,
    _ line: JSONDocument,
    into list: inout AdviceList
  ) {
    var characters = 0
    var whole = ""
    var position = 0
    var run = text + 1
    while run < line.end(text) {
      defer {
        position += 1
        run = line.end(run)
      }
      guard let words = line.member("text", of: run), line.kind(words) == .string else { continue }
      let scan = line.scan(words)
      characters += scan.characters
      guard !isSensitive else { continue }
      let text = line.string(words)
      whole += text
      guard scan.isWorthALook, !line.saysHow(run) else { continue }
      let language = Language(line.string("lang", of: run))
      let field = "event.text[\(position)].text"
      Spelling.look(Phrase(text, language), field, canSpell: true, into: &list)
    }
    TextLength.look(characters, into: &list)
    if isAnnouncement { SentenceCount.look(Phrase(whole, .unknown), into: &list) }
  }
}

extension JSONDocument {
  /// What one pass over the bytes of a string says of it.
  func scan(_ value: JSONIndex) -> TextScan {
    // What is escaped is other characters than its bytes.
    isEscaped(value) ? TextScan(raw(value).unescaped.span) : TextScan(raw(value))
  }

  fileprivate func scalarCount(_ value: JSONIndex) -> Int {
    isEscaped(value) ? raw(value).unescaped.span.scalarCount : raw(value).scalarCount
  }

  /// Whether a run says itself how it is pronounced.
  fileprivate func saysHow(_ run: JSONIndex) -> Bool {
    if let spell = member("spell", of: run), kind(spell) == .yes { return true }
    return member("ipa", of: run) != nil
  }
}
