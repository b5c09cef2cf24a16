// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Testing

@testable import a11yctl

// One suite with the other commands, for it is serialised.
extension CommandTests {
  private enum Size: String, CaseIterable {
    case small, large
  }

  private struct Sizes: OptionGroup {
    @Option("size", "SIZE", "how large", as: .word) var size: Size?
    @Option("number", "N", "how many", as: .number(in: 1...9)) var number: Int64?
  }

  /// A command with an option of each kind.
  private struct Sample: Command {
    static let name = "sample"
    static let summary = "show what was given"
    static let notes = "Shows what was given."

    @Operands(atMost: 2) var words: [String]
    @Repeated("name", "NAME", "a name; may be repeated") var names: [String]?
    let sizes = Sizes()
    @Flag("loud", "in a loud voice") var isLoud: Bool
    let bus = BusSocket()

    func run(_ output: Output) {}
  }

  private struct Plain: Command {
    static let name = "plain"
    static let summary = "take nothing"
    static let notes = "Takes nothing."

    func run(_ output: Output) {}
  }

  @Test func `the properties of a command are its options, in their order`() {
    #expect(
      Sample.options.map(\.name)
        == ["name", "size", "number", "loud", "socket", "help", "version"]
    )
    #expect(
      Sample.help.hasPrefix(
        """
        Usage: a11yctl sample [OPTION]...
        Shows what was given.

        Options:
          --name NAME    a name; may be repeated
          --size SIZE    how large
        """
      )
    )
    #expect(Sample.options.first { $0.name == "size" }?.words == ["small", "large"])
  }

  @Test func `each property has what the command line gives it`() throws {
    let sample = try Sample([
      "one", "--name", "a", "--size=small", "--name=b", "two", "--size", "large", "--loud",
    ])

    #expect(sample.words == ["one", "two"])
    #expect(sample.names == ["a", "b"])
    #expect(sample.sizes.size == .large)
    #expect(sample.sizes.number == nil)
    #expect(sample.isLoud)
    let none = try Sample([])
    #expect(none.words == [] && none.names == nil && !none.isLoud)
  }

  @Test(arguments: [
    (["--size", "huge"], "--size expects one of small, large; got huge."),
    (["--number", "0"], "--number expects a number from 1 to 9; got 0."),
    (["a", "b", "c"], "c is not expected here."),
    (["--nmae", "a"], "--nmae is no option of this command; did you mean --name?"),
  ])
  func `what a property cannot have is refused`(words: [String], beginning: String) {
    let failure = #expect(throws: Failure.self) { try Sample(words) }

    #expect(failure?.code == .usage)
    #expect(failure?.words?.hasPrefix(beginning) == true)
  }

  @Test func `a command without operands takes none`() {
    #expect(throws: Failure(.usage, "a is not expected here.")) { try Plain(["a"]) }
  }

  @Test(
    arguments: [
      (1, "entry", nil, "1 entry"), (2, "entry", nil, "2 entries"), (0, "day", nil, "0 days"),
      (3, "change of layout", nil, "3 changes of layout"), (1, "text", "was", "1 text was"),
      (2, "text", "was", "2 texts were"), (2, "event", "waits", "2 events wait"),
      (2, "burst of changes", nil, "2 bursts of changes"), (5, "request", "has", "5 requests have"),
    ] as [(Int, String, String?, String)]
  )
  func `a noun is counted in one phrase`(number: Int, noun: String, verb: String?, words: String) {
    #expect(number.counted(noun, verb) == words)
  }
}
