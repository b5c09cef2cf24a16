// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPlay
import A11yTestKit
import Testing

/// Texts that were heard beside those that were expected.
@Suite struct ExpectedTextsTests {
  /// The differences in short: `-` for a line that was not heard, `+` for a text that came instead.
  private func differences(_ file: String, _ heard: [String]) -> [String] {
    let expected = ExpectedTexts(file)
    return TextComparison(expected, heard).steps.compactMap { step in
      switch step {
      case .expected, .anything: nil
      case .missing(let line): "-\(expected.lines[line].text)"
      case .unexpected(let text): "+\(heard[text])"
      }
    }
  }

  @Test func `the same texts in the same order are equal`() {
    #expect(differences("One\nTwo\n", ["One", "Two"]) == [])
    #expect(differences("Two\nOne\n", ["One", "Two"]) != [])
  }

  @Test func `blank lines and white space at the ends count for nothing`() {
    #expect(differences("\n  One\r\n\n\tTwo  words \n", ["One", "Two words"]) == [])
  }

  @Test func `a text may begin with any character`() {
    #expect(differences("# One\n// Two\n", ["# One", "// Two"]) == [])
  }

  @Test(arguments: [
    ("Today is …", "Today is Monday", true), ("Today is …", "Today is", false),
    ("…%", "50 %", true), ("… of … read", "3 of 17 read", true),
    ("… of … read", "3 read of 17", false), ("a…a", "a", false), ("a…a", "aa", true),
    ("……", "anything", true), ("Loading…", "Loading…", true),
  ])
  func `an ellipsis stands for any characters`(line: String, text: String, fits: Bool) {
    #expect(differences(line, [text]).isEmpty == fits)
  }

  @Test func `a line of an ellipsis alone stands for any number of texts`() {
    for texts in [["A", "Z"], ["A", "B", "Z"], ["A", "B", "C", "Z"]] {
      #expect(differences("A\n…\nZ", texts) == [])
    }
    #expect(differences("A\n…\nZ", ["A", "B"]) == ["-Z"])
    #expect(differences("…", []) == [])
  }

  @Test func `a difference is told at its place, and the rest stays equal`() {
    #expect(differences("A\nB\nC\nD", ["A", "X", "C", "D"]) == ["-B", "+X"])
    #expect(differences("A\nB\nC", ["A", "C"]) == ["-B"])
    #expect(differences("A\nC", ["A", "B", "C"]) == ["+B"])
    #expect(differences("", ["A"]) == ["+A"])
  }

  @Test
  func `lines are laid beside the texts that they fit before the rest is left to an ellipsis`() {
    #expect(
      differences("One\nThree\nOne\n…", ["One", "Two", "One", "Saved"]) == ["-Three", "+Two"]
    )
  }

  @Test func `a renewed file expects what was heard, and keeps the lines that were right`() {
    let expected = ExpectedTexts("It is …\nGone\n…\nEnd")
    let heard = ["It is noon", "New", "B", "C", "End"]
    let renewed = TextComparison(expected, heard).renewed

    #expect(renewed == "It is …\n…\nEnd\n" || renewed == "It is …\nNew\n…\nEnd\n")
    #expect(TextComparison(ExpectedTexts(renewed), heard).isEqual)
  }

  @Test func `a secret alone becomes a line for one text`() {
    let renewed = TextComparison(ExpectedTexts(""), ["…"]).renewed

    #expect(differences(renewed, ["…"]) == [])
    #expect(differences(renewed, []).count == 1)
  }

  @Test func `random texts are equal to themselves, and a renewed file is always right`() {
    var dice = Dice(for: #function)
    for _ in 0..<300 {
      let words = ["A", "B", "A b", "…", "A…", "b…b"]
      let file = (0..<dice.roll(0...8)).map { _ in dice.pick(words) }.joined(separator: "\n")
      let heard = (0..<dice.roll(0...8)).map { _ in dice.pick(["A", "B", "A b", "b to b"]) }
      let renewed = TextComparison(ExpectedTexts(file), heard).renewed
      #expect(TextComparison(ExpectedTexts(renewed), heard).isEqual, "\(file), \(heard)")
    }
  }
}
