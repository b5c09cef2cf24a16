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
    #expect(throws: CommandLineOptions.Mistake(words: expected)) {
      _ = try CommandLineOptions(words, flags)
    }
  }
}
