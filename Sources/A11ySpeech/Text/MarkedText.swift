// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yClient

/// A text as a synthesizer gets it: SSML of our own making, with a mark before each word.
///
/// The marks tell how far speech has come, and that it comes on at all. Texts of apps are never
/// markup.
package struct MarkedText: Equatable, Sendable {
  /// The markup, in one line.
  package let ssml: String
  /// The words alone, as the runs have them.
  package let text: String
  /// The beginning of each marked word in `text`, in Unicode scalars.
  private let starts: [Int]
  /// The time that each marked word takes, in characters of plain speech.
  private let weights: [Int]
  /// The marks of the text's sender, each with the number of our own with which it is passed.
  private let senderMarks: [SenderMark]
  /// The command for a text that is a character, a key or a sound, and no words.
  let command: String?

  private struct SenderMark: Equatable {
    let name: String
    let place: Int
  }

  /// The text of runs, after a sound if one is given as a file.
  package init(_ runs: [SpeechText.Run], sound: String? = nil) {
    var writer = SSMLWriter()
    if let sound { writer.writeSound(sound) }
    var marks: [SenderMark] = []
    for run in runs {
      if let mark = run.mark { marks.append(SenderMark(name: mark, place: writer.starts.count)) }
      writer.writeRun(run)
    }
    ssml = writer.finished
    text = writer.text
    starts = writer.starts
    weights = writer.weights
    senderMarks = marks
    command = runs.count == 1 && sound == nil ? Self.command(for: runs[0]) : nil
  }

  private init(ssml: String) {
    (self.ssml, text, starts, weights) = (ssml, "", [], [])
    (senderMarks, command) = ([], nil)
  }

  private static func command(for run: SpeechText.Run) -> String? {
    let isLine =
      !run.text.isEmpty
      && run.text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    guard isLine else { return nil }
    // A blank would end the command.
    let name = run.text == " " ? "space" : run.text
    switch run.utterance {
    case .character: return "CHAR \(name)"
    case .key: return "KEY \(name)"
    case .icon: return "SOUND_ICON \(name)"
    case nil: return nil
    }
  }

  /// The mark of the text's sender that is passed last by the time of one of ours.
  func senderMark(at mark: Int) -> String? { senderMarks.last { $0.place <= mark }?.name }

  /// A moment of silence that has to pass through the synthesizer and the sound output.
  package static let silence = MarkedText(ssml: "<speak><break time=\"20ms\"/></speak>")

  /// Whether there is a word that a voice can say.
  package var hasWords: Bool { !starts.isEmpty && command == nil }

  /// The number of marks.
  package var marks: Int { starts.count }

  /// The words before those of a mark.
  package func portion(before mark: Int) -> Substring {
    guard starts.indices.contains(mark) else { return text[...] }
    let scalars = text.unicodeScalars
    return text[..<scalars.index(scalars.startIndex, offsetBy: starts[mark])]
  }

  /// The time of the word behind a mark, in characters of plain speech; all of it before the first.
  package func weight(behind mark: Int?) -> Int {
    guard let mark else { return weights.reduce(0, +) }
    return weights.indices.contains(mark) ? weights[mark] : 0
  }
}

/// Writes runs as SSML.
private struct SSMLWriter {
  private(set) var text = ""
  private(set) var starts: [Int] = []
  private(set) var weights: [Int] = []
  private var markup = ""
  /// The elements that are open, from the outermost.
  private var open: [String] = []
  private var scalars = 0
  /// The time since the last pause, as weights have it.
  private var breath = 0
  /// The length of the word since its last pause: in bytes, or of digits in their weight.
  private var wordLength = 0
  private var previous: Unicode.Scalar = " "

  /// A digit is a word of its own, and so are a sign and a spelled letter.
  private static let digitWeight = 6
  private static let spelledWeight = 8

  /// The most that is said without a pause, and the longest word.
  ///
  /// eSpeak drops, without a word, what goes beyond 1,000 sounds of a clause, and 160 bytes or 30
  /// digits of a word: of sixty long numbers it says thirty. A pause of no length begins a new
  /// clause.
  private static let longestBreath = 250
  private static let longestWord = 120
  private static let pause = "<break time=\"0ms\"/>"

  var finished: String { "<speak>\(markup)\(Self.ends(of: open))</speak>" }

  mutating func writeSound(_ path: String) {
    markup += "<audio src=\"\(Self.escaped(path))\"/>"
  }

  mutating func writeRun(_ run: SpeechText.Run) {
    // A voice takes breath at the end of an element; runs in one manner go on within it.
    let elements = Self.elements(of: run)
    let isWhole = run.spell == true || run.ipa != nil
    if isWhole || elements != open {
      markup += Self.ends(of: open) + elements.map { "<\($0)>" }.joined()
      open = elements
    }
    if isWhole {
      appendWhole(run)
      markup += Self.ends(of: open)
      open = []
    } else {
      appendWords(of: run.text)
    }
  }

  /// The ends of elements; the name of one ends at its first space.
  private static func ends(of elements: [String]) -> String {
    elements.reversed().map { "</\($0.prefix { $0 != " " })>" }.joined()
  }

  /// A name space, which XML demands for a prefix; eSpeak knows the element by the prefix alone.
  private static let styles = "urn:x-espeak:tts"

  /// The elements around a run, from the outermost.
  private static func elements(of run: SpeechText.Run) -> [String] {
    var elements: [String] = []
    if let lang = run.lang { elements.append("voice xml:lang=\"\(escaped(lang))\"") }
    let prosody = [
      ("pitch", run.pitch), ("range", run.pitchRange), ("rate", run.rate), ("volume", run.volume),
    ]
    let changes = prosody.compactMap { name, factor in
      factor.map { " \(name)=\"\(Int((min(max($0, 0), 2) * 100).rounded()))%\"" }
    }
    if !changes.isEmpty { elements.append("prosody\(changes.joined())") }
    if run.punctuation == .all {
      elements.append("tts:style xmlns:tts=\"\(styles)\" field=\"punctuation\" mode=\"all\"")
    }
    if let ipa = run.ipa {
      elements.append("phoneme alphabet=\"ipa\" ph=\"\(escaped(ipa))\"")
    }
    if run.spell == true { elements.append("say-as interpret-as=\"characters\"") }
    return elements
  }

  /// A run that must not be cut by marks.
  private mutating func appendWhole(_ run: SpeechText.Run) {
    if run.text.unicodeScalars.contains(where: Self.isSpoken) { mark() }
    for scalar in run.text.unicodeScalars {
      writeScalar(scalar, run.spell == true ? Self.spelledWeight : Self.weight(of: scalar))
    }
    text += run.text
  }

  private mutating func appendWords(of words: String) {
    var isInWord = false
    let all = words.unicodeScalars
    for index in all.indices {
      let scalar = all[index]
      if scalar.properties.isWhitespace {
        isInWord = false
      } else if !isInWord {
        isInWord = true
        let word = all[index...].prefix { !$0.properties.isWhitespace }
        if word.contains(where: Self.isSpoken) { mark() }
      }
      writeScalar(scalar, Self.weight(of: scalar))
    }
    text += words
  }

  private mutating func mark() {
    if breath > Self.longestBreath { writePause() }
    markup += "<mark name=\"\(starts.count)\"/>"
    starts.append(scalars)
    weights.append(0)
  }

  private mutating func writeScalar(_ scalar: Unicode.Scalar, _ weight: Int) {
    if scalar.properties.isWhitespace {
      if Self.endsClause(previous) { breath = 0 }
      wordLength = 0
    } else {
      let isWhole = !scalar.properties.isGraphemeExtend
      let isLong = wordLength >= Self.longestWord || breath > 2 * Self.longestBreath
      if isWhole, isLong { writePause() }
      let isDigit = scalar.properties.numericType != nil
      wordLength += isDigit ? Self.digitWeight : UTF8.width(scalar)
    }
    breath += weight
    if let last = weights.indices.last { weights[last] += weight }
    scalars += 1
    Self.escape(scalar, to: &markup)
    previous = scalar
  }

  private mutating func writePause() {
    markup += Self.pause
    (breath, wordLength) = (0, 0)
  }

  /// Whether a voice makes a pause behind it, where a space follows.
  private static func endsClause(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case ".", ",", ";", ":", "!", "?": true
    default: false
    }
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars { escape(scalar, to: &escaped) }
    return escaped
  }

  /// A character as XML text; XML knows no control characters, and a line must not end.
  private static func escape(_ scalar: Unicode.Scalar, to markup: inout String) {
    switch scalar {
    case "&": markup += "&amp;"
    case "<": markup += "&lt;"
    case ">": markup += "&gt;"
    case "\"": markup += "&quot;"
    case "'": markup += "&apos;"
    case "\u{FFFE}", "\u{FFFF}", "\u{2028}", "\u{2029}": markup += " "
    default:
      let isControl = scalar.properties.generalCategory == .control
      markup.unicodeScalars.append(isControl ? " " : scalar)
    }
  }

  /// Whether a voice says a character in any case; it passes over most punctuation.
  private static func isSpoken(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }

  private static func weight(of scalar: Unicode.Scalar) -> Int {
    if scalar.properties.numericType != nil { return digitWeight }
    // A voice that lacks a script names its characters one by one.
    let isPlain = scalar.properties.isAlphabetic || scalar.properties.isWhitespace
    return isPlain && scalar.value < 0x250 ? 1 : digitWeight
  }
}
