// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

@testable import A11yPosix
import Testing

/// A command line is read as everybody knows it, and what is wrong with it is named.
@Suite struct CommandLineOptionsTests {
  private let flags = [
    CommandLineOptions.Flag("since", needsValue: true), CommandLineOptions.Flag("json"),
  ]

  @Test func `operands may stand anywhere`() throws {
    let line = try CommandLineOptions(["a", "--since", "today", "b", "--json", "--", "--c"], flags)
    #expect(line.given.map(\.name) == ["since", "json"])
    #expect(line.given.map(\.value) == ["today", ""])
    #expect(line.operands == ["a", "b", "--c"])
  }

  @Test func `a negative number is a value or an operand, not an option`() throws {
    let line = try CommandLineOptions(["rate", "-20", "--since", "-5", "--json"], flags)
    #expect(line.operands == ["rate", "-20"])
    #expect(line.given.map(\.value) == ["-5", ""])
  }

  @Test(
    arguments: [
      (["--bad"], "--bad is no option of this command"),
      (["a", "--bad", "b"], "--bad is no option of this command"),
      (["a", "--since", "x", "b", "--bad"], "--bad is no option of this command"),
      (["a", "-", "-x"], "-x is no option of this command"),
      (["a", "--since"], "--since lacks its value"),
      (["--json", "a", "b", "--since"], "--since lacks its value"),
    ]
  )
  func `the word that is wrong is named, not one before it`(
    _ words: [String],
    _ expected: String
  ) {
    let mistake = #expect(throws: CommandLineOptions.Mistake.self) {
      _ = try CommandLineOptions(words, flags)
    }

    #expect(mistake?.words == expected)
    let isUnknown = expected.hasSuffix("is no option of this command")
    #expect(mistake?.unknown == (isUnknown ? String(expected.prefix { $0 != " " }) : nil))
  }

  private enum Wanted: String, CommandLineFlag {
    case count, quiet

    var needsValue: Bool { self == .count }
  }

  @Test func `options of an enum are switched over`() throws {
    let given = try CommandLineOptions.parse(["--count=3", "--qui"], as: Wanted.self)
    #expect(given.map(\.flag) == [.count, .quiet])
    #expect(try given[0].given.number(in: 1...5) == 3)
    #expect(throws: CommandLineOptions.Mistake(words: "x is not expected here")) {
      _ = try CommandLineOptions.parse(["x"], as: Wanted.self)
    }
  }

  @Test(
    arguments: [
      ("x", Int.min...Int.max, "--count expects a whole number; got x"),
      ("0", 1...Int.max, "--count expects a number from 1 on; got 0"),
      ("9", 1...5, "--count expects a number from 1 to 5; got 9"),
    ]
  )
  func `a number out of bounds is refused with the bounds`(
    _ word: String,
    _ bounds: ClosedRange<Int>,
    _ words: String
  ) throws {
    let given = try CommandLineOptions.parse(["--count", word], as: Wanted.self)
    #expect(throws: CommandLineOptions.Mistake(words: words)) {
      _ = try given[0].given.number(in: bounds)
    }
  }
}
