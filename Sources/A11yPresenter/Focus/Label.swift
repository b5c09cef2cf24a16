// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yModel
public import A11yRules
internal import A11yWire

/// The words for an element: its label, value, role, states and place, then the hint after a pause.
///
/// The words for roles and states are ours, in the language of the element or else the user's. An
/// app that puts them into a label has them said twice, and is told so.
struct Label {
  private let spoken: Model.Spoken
  private let words: OwnWords
  /// The element is in a language that we have no words in, so ours are runs of their own.
  private let isForeign: Bool
  private let hasHints: Bool
  private let hasStates: Bool

  init(_ spoken: Model.Spoken, _ pace: ReaderPace) {
    self.spoken = spoken
    let own = spoken.language.flatMap { OwnWords.of(tag: $0) }
    words = own ?? OwnWords.of(pace.language)
    isForeign = own == nil && spoken.language != nil
    hasHints = pace.speaksHints
    hasStates = pace.speaksStates
  }

  var text: SpokenText {
    var text = SpokenText.nothing
    var written = ByteBuffer(capacity: 256)
    if let label = spoken.label { written.append(part: label.span) }
    if let value = spoken.value, value != spoken.label { written.append(part: value.span) }
    if let redacted = spoken.redacted {
      // A value that the log does not have is a run of its own, in its place.
      if !written.isEmpty { text = run(of: written) }
      text.append(SpokenText(redacted: redacted))
      written.clear()
    }
    if isForeign {
      if !written.isEmpty { text.append(run(of: written)) }
      written.clear()
      text.append(ownRun(behind: text))
    } else {
      appendOwnWords(to: &written)
    }
    if hasHints, let hint = spoken.hint {
      if !written.isEmpty || isForeign && !text.isEmpty { written.append(". ") }
      written.append(hint.span)
    }
    if !written.isEmpty { text.append(run(of: written)) }
    return text
  }

  /// The words with which a dialog begins: its own label, that it is one, and its hint; nil where
  /// it has neither label nor hint.
  var introduction: SpokenText? {
    guard spoken.label != nil || spoken.hint != nil else { return nil }
    var text = SpokenText.nothing
    var written = ByteBuffer(capacity: 256)
    if let label = spoken.label {
      written.append(label.span)
      written.append(Self.isEnded(label) ? " " : ", ")
    }
    if isForeign {
      if !written.isEmpty { text.append(run(of: written)) }
      written.clear()
    }
    words.roles(spoken.traits, spoken.role) { written.append(text: $0) }
    written.append(". ")
    if isForeign {
      text.append(SpokenText(written: written.bytes, language: nil))
      written.clear()
    }
    if let hint = spoken.hint {
      written.append(hint.span)
      written.append(Self.isEnded(hint) ? " " : ". ")
    }
    if !written.isEmpty { text.append(run(of: written)) }
    return text
  }

  /// Whether a text is a sentence that has its end already.
  private static func isEnded(_ text: [UInt8]) -> Bool {
    ".!?:…".utf8.contains(text.last ?? 0)
  }

  private func appendOwnWords(to written: inout ByteBuffer) {
    words.roles(spoken.traits, spoken.role) { written.append(part: $0.utf8Span.span) }
    if hasStates {
      words.states(spoken.states, spoken.role) { written.append(part: $0.utf8Span.span) }
    }
    if let place = spoken.place { written.append(part: words.place(place).utf8Span.span) }
  }

  /// Our own words in the user's language, behind a text in a language that we have none in.
  private func ownRun(behind text: SpokenText) -> SpokenText {
    var own = ByteBuffer(capacity: 64)
    appendOwnWords(to: &own)
    guard !own.isEmpty else { return .nothing }
    var written = ByteBuffer(capacity: 64)
    if !text.isEmpty { written.append(", ") }
    written.append(own.bytes)
    return SpokenText(written: written.bytes, language: nil)
  }

  private func run(of written: borrowing ByteBuffer) -> SpokenText {
    SpokenText(written: written.bytes, language: spoken.language)
  }
}

extension Presenter {
  /// The words for an element that the focus comes to, without the brackets of a list of runs; nil
  /// where the element is not there.
  public static func runs(
    of spot: Model.Spot,
    in model: Model,
    _ pace: ReaderPace
  ) -> [UInt8]? {
    model.spoken(spot.element, window: spot.window, app: spot.app).map {
      Label($0, pace).text.runs
    }
  }
}

extension ByteBuffer {
  /// Appends one of the parts that a voice puts a little pause between.
  fileprivate mutating func append(part: Span<UInt8>) {
    if !isEmpty { append(", ") }
    append(part)
  }
}
