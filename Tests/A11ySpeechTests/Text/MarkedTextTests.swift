// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient
import A11yTestKit
import Foundation
import FoundationXML
import Testing

@testable import A11ySpeech

/// Texts as the synthesizer gets them: well-formed, in one line, and with no other words.
@Suite struct MarkedTextTests {
  private func spoken(_ text: String) -> MarkedText { MarkedText([SpeechText.Run(text)]) }

  @Test func `a mark stands before each word`() {
    let spoken = spoken("Item was added")

    #expect(
      spoken.ssml
        == #"<speak><mark name="0"/>Item <mark name="1"/>was <mark name="2"/>added</speak>"#
    )
    #expect(spoken.text == "Item was added")
    #expect(spoken.marks == 3)
    #expect(spoken.portion(before: 0) == "")
    #expect(spoken.portion(before: 2) == "Item was ")
    #expect(spoken.portion(before: 3) == "Item was added")
  }

  @Test(arguments: [
    ("R&D", "R&amp;D"), ("<b>x", "&lt;b&gt;x"), (#"a"b'c"#, "a&quot;b&apos;c"),
    ("&amp;", "&amp;amp;"), ("]]>x", "]]&gt;x"),
  ])
  func `text of an app is never markup`(text: String, escaped: String) {
    #expect(spoken(text).ssml == #"<speak><mark name="0"/>\#(escaped)</speak>"#)
  }

  @Test(arguments: [
    "\n", "\r\n", "\t", "\u{0}", "\u{1b}", "\u{7f}", "\u{85}", "\u{2028}", "\u{fffe}",
  ])
  func `characters that XML or a line does not take become spaces`(character: String) throws {
    let spoken = spoken("a\(character)b")

    #expect(!spoken.ssml.unicodeScalars.contains { $0.value < 32 || $0.value == 0x7f })
    let words = try Markup(spoken.ssml).words
    #expect(words.split(separator: " ") == ["a", "b"])
  }

  @Test(arguments: ["", " ", "…", "—", " ... ", "👍", "\u{301}"])
  func `a text without letters and digits has no marks`(text: String) throws {
    let spoken = spoken(text)

    #expect(!spoken.hasWords)
    #expect(spoken.marks == 0)
    #expect(try Markup(spoken.ssml).words == text)
  }

  @Test func `a spelled run is one piece, with more time for each letter`() throws {
    let spelled = MarkedText([SpeechText.Run("98 AB", spell: true)])

    #expect(
      spelled.ssml
        == #"<speak><say-as interpret-as="characters"><mark name="0"/>98 AB</say-as></speak>"#
    )
    #expect(spelled.weight(behind: 0) == 40)
    #expect(spelled.weight(behind: nil) == 40)
  }

  @Test(arguments: [
    (SpeechText.Run("a", punctuation: true), "tts:style"),
    (SpeechText.Run("a", ipa: "ə<"), "phoneme"),
    (SpeechText.Run("a", lang: "de-AT\""), "voice"),
    (SpeechText.Run("a", pitch: 1.5), "prosody"),
    (SpeechText.Run("a", spell: true), "say-as"),
    (SpeechText.Run("a"), nil),
  ])
  func `a manner of speaking is an element around the run`(
    run: SpeechText.Run,
    element: String?
  ) throws {
    let markup = try Markup(MarkedText([run]).ssml)

    #expect(markup.words == "a")
    #expect(markup.elements == ["speak", element, "mark"].compactMap { $0 })
  }

  @Test func `attributes hold what was given, within bounds`() throws {
    let runs = [
      SpeechText.Run("a", ipa: #"h"ɛ<&'"#), SpeechText.Run("b", lang: "de&<\"x"),
      SpeechText.Run("c", pitch: 1.25), SpeechText.Run("d", pitch: -7),
      SpeechText.Run("e", pitch: 1e300),
    ]
    let markup = try Markup(MarkedText(runs).ssml)

    #expect(markup.attributes["ph"] == [#"h"ɛ<&'"#])
    #expect(markup.attributes["xml:lang"] == ["de&<\"x"])
    #expect(markup.attributes["pitch"] == ["125%", "0%", "200%"])
  }

  @Test func `marks go on from run to run, and a word in two runs has two`() {
    let spoken = MarkedText([.init("con"), .init("tact", pitch: 1.2), .init(" gone")])

    #expect(spoken.text == "contact gone")
    #expect(spoken.marks == 3)
    #expect(spoken.portion(before: 2) == "contact ")
  }

  @Test func `a sound stands before the words`() throws {
    let markup = try Markup(MarkedText([.init("Tips")], sound: "/a&b/screen.wav").ssml)

    #expect(markup.elements == ["speak", "audio", "mark"])
    #expect(markup.attributes["src"] == ["/a&b/screen.wav"])
    #expect(!MarkedText([], sound: "/screen.wav").hasWords)
  }

  @Test func `digits and scripts that a voice may lack weigh more`() {
    let spoken = spoken("ab 12 да")

    // The space behind a word is its own.
    #expect([0, 1, 2].map { spoken.weight(behind: $0) } == [3, 13, 12])
    #expect(spoken.weight(behind: nil) == 28)
    #expect(spoken.weight(behind: 3) == 0)
  }

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/espeak-ng")),
    arguments: [
      "12345 67890 98765 43210 ", "我們今天去看電影", "1234567", "mississippi", "{}&%$#@ ", "é-ü/ß ",
    ]
  )
  func `eSpeak says the end of a long text, too`(piece: String) throws {
    let some = try soundBytes(of: String(repeating: piece, count: 16))
    let all = try soundBytes(of: String(repeating: piece, count: 128))

    #expect(all > some * 7, "\(some) bytes of sound, and eight times that text has \(all)")
  }

  /// The sound that eSpeak makes of a text.
  private func soundBytes(of text: String) throws -> Int {
    let directory = try ScratchDirectory()
    let espeak = Process()
    espeak.executableURL = URL(filePath: "/usr/bin/espeak-ng")
    espeak.arguments = ["-m", "-w", directory("sound.wav"), spoken(text).ssml]
    try espeak.run()
    espeak.waitUntilExit()
    return try Data(contentsOf: URL(filePath: directory("sound.wav"))).count
  }

  @Test func `a text without a pause has one in the end, and one with pauses has no more`() {
    let pause = #"<break time="0ms"/>"#
    let long = Array(repeating: "word", count: 120)

    #expect(spoken(long.joined(separator: " ")).ssml.components(separatedBy: pause).count == 3)
    #expect(!spoken(long.joined(separator: ", ")).ssml.contains(pause))
  }

  @Test func `random texts are well-formed, in one line, and hold their words`() throws {
    var dice = Dice()
    for _ in 0..<400 {
      let runs = (0..<dice.roll(0...4)).map { _ in Self.run(&dice) }
      let spoken = MarkedText(runs, sound: dice.roll(0...4) == 0 ? "/tmp/a.wav" : nil)
      let markup = try Markup(spoken.ssml)
      let text = runs.map(\.text).joined()

      #expect(spoken.text == text)
      #expect(Self.plain(markup.words) == Self.plain(text))
      #expect(!spoken.ssml.utf8.contains(10) && !spoken.ssml.utf8.contains(13))
      #expect(markup.attributes["name", default: []] == (0..<spoken.marks).map(String.init))
      for mark in 0..<spoken.marks {
        let before = spoken.portion(before: mark).unicodeScalars
        #expect(text.unicodeScalars.starts(with: before))
      }
    }
  }

  private static func run(_ dice: inout Dice) -> SpeechText.Run {
    var run = SpeechText.Run(text(&dice))
    if dice.roll(0...5) == 0 { run.spell = true }
    if dice.roll(0...5) == 0 { run.punctuation = true }
    if dice.roll(0...5) == 0 { run.ipa = text(&dice) }
    if dice.roll(0...5) == 0 { run.lang = text(&dice) }
    if dice.roll(0...5) == 0 { run.pitch = Double(dice.roll(-10...30)) / 10 }
    return run
  }

  private static func text(_ dice: inout Dice) -> String {
    let favourites = Array(
      "&<>\"'/ \t\n\r\u{0}\u{1f}ab19.…éд漢字👍🏽\u{301}\u{200d}\u{2029}\u{ffff}]-".unicodeScalars
    )
    var text = ""
    for _ in 0..<dice.roll(0...24) {
      let scalar =
        dice.roll(0...3) > 0
        ? favourites[dice.roll(0...favourites.count - 1)]
        : Unicode.Scalar(UInt32(dice.roll(0...0x10ffff)))
      if let scalar { text.unicodeScalars.append(scalar) }
    }
    return text
  }

  /// The scalars of a text, with a space for each that a line of XML does not take.
  private static func plain(_ text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\u{2028}", "\u{2029}", "\u{fffe}", "\u{ffff}": " "
      default: scalar.properties.generalCategory == .control ? " " : scalar
      }
    }
  }
}

/// Markup, read by a parser that knows name spaces and forgives nothing.
private final class Markup: NSObject, XMLParserDelegate {
  private(set) var words = ""
  private(set) var elements: [String] = []
  private(set) var attributes: [String: [String]] = [:]

  init(_ text: String) throws {
    super.init()
    let parser = XMLParser(data: Data(text.utf8))
    parser.shouldProcessNamespaces = true
    parser.delegate = self
    guard parser.parse() else { throw Malformed(text: text, error: parser.parserError) }
  }

  struct Malformed: Error {
    let text: String
    let error: (any Error)?
  }

  func parser(
    _ parser: XMLParser,
    didStartElement name: String,
    namespaceURI: String?,
    qualifiedName: String?,
    attributes given: [String: String]
  ) {
    elements.append(qualifiedName ?? name)
    for (name, value) in given { attributes[name, default: []].append(value) }
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) { words += text }
}
