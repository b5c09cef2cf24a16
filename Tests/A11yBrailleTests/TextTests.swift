// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import A11yToml
import Testing

@testable import A11yBraille

/// Texts on displays of any size, and the settings.
@Suite struct TextTests {
  private func windows(_ text: String, _ columns: Int, _ rows: Int = 1) throws -> [String] {
    BrailleText(text).windows(on: try #require(DisplaySize(columns: columns, rows: rows)))
  }

  @Test func `a line ends between words, and all windows fill the display`() throws {
    #expect(try windows("Item was added", 8) == ["Item was", "added   "])
    #expect(try windows("Item was added", 9) == ["Item was ", "added    "])
    #expect(try windows("Item", 4) == ["Item"])
  }

  @Test func `a word longer than the display is cut`() throws {
    #expect(try windows("a Donaudampfschiff b", 6) == ["a     ", "Donaud", "ampfsc", "hiff b"])
  }

  @Test func `on a display of several lines a window is all of them`() throws {
    #expect(try windows("one two three four", 5, 2) == ["one  two  ", "threefour "])
    #expect(try windows("one", 5, 2) == ["one       "])
  }

  @Test func `whatever has no shape has no cell`() throws {
    let joined = "a\u{200D}b\u{FEFF} c\u{FE0F}\n\n\td\u{0}e"

    #expect(try windows(joined, 10) == ["ab c d e  "])
    #expect(BrailleText(joined).count == 8)
  }

  @Test func `no text has no window`() throws {
    #expect(try windows("", 10) == [])
    #expect(BrailleText(" \n").isEmpty)
  }

  @Test func `a display has as many cells as the protocol has room for`() {
    #expect(DisplaySize(columns: 0, rows: 0) == nil)
    #expect(DisplaySize(columns: 40, rows: 0) == nil)
    #expect(DisplaySize(columns: 40, rows: 1)?.cells == 40)
    #expect(DisplaySize(columns: 100_000, rows: 100_000)?.cells == 512)
  }

  // MARK: Settings

  private func complaints(_ text: String) -> [String] {
    LoadedCompanionSettings<BrailleSettings>(text: text, fileName: "braille.toml")
      .complaints.map { "\($0)" }
  }

  @Test(arguments: [
    ("[braille]\nms_per_character = -1", "from 0 to 10000; got -1"),
    ("[braille]\nms_per_character = \"fast\"", "got \"fast\""),
    ("[braille]\nshortest = \"2 h\"", "at most an hour"),
    ("[braille]\nlongest = true", "as in \"4 s\"; got true"),
    ("[braille]\ncontraction = true", "expected one of ms_per_character, shortest, longest"),
    ("[voice]\nrate = 3", "expected the table [braille]"),
  ])
  func `a mistake in the settings is told with what was expected`(
    text: String,
    words: String
  ) {
    #expect(complaints(text).contains { $0.contains(words) }, "\(complaints(text))")
  }

  @Test func `a shortest time beyond the longest one holds`() {
    let text = "[braille]\nshortest = \"9 s\"\nlongest = 2000\nms_per_character = 0\n"
    let loaded = LoadedCompanionSettings<BrailleSettings>(text: text, fileName: "braille.toml")

    #expect(loaded.complaints.isEmpty)
    #expect(loaded.settings.time(forCharacters: 1) == 9_000_000)
    #expect(loaded.settings.time(forCharacters: .max) == 9_000_000)
  }

  @Test func `the shipped file has the defaults of all settings`() throws {
    let kept = KeptText("Config/braille.toml")
    #expect(try kept.difference(fromDefaultsOf: BrailleSettings.self) == nil)
  }

  @Test(arguments: [
    (BrailleCondition.connecting, "connecting to BRLTTY"),
    (.noDisplay(reason: "BRLTTY has none"), "no braille display: BRLTTY has none"),
  ])
  func `the condition is a sentence`(condition: BrailleCondition, sentence: String) {
    #expect(condition.sentence == sentence)
    #expect(condition.size == nil)
  }

  @Test(arguments: [(40, 1, "of 40 cells"), (20, 2, "of 2 lines of 20 cells")])
  func `the condition tells the measures`(columns: Int, rows: Int, end: String) throws {
    let size = try #require(DisplaySize(columns: columns, rows: rows))

    #expect(BrailleCondition.showing(size).sentence == "showing on a display " + end)
  }
}
