// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

@testable import a11yctl

/// Checks in the forms of other programs, which read them.
@Suite struct CheckFormatTests {
  private let evil = "50% <b> & \"C\", a:b #1\n\u{1B}[2J \\ ]]>"

  private var checks: [Check] {
    let place = CheckFinding.Place(file: "tests/a,b.txt", line: 3, column: 7)
    let finding = CheckFinding(.error, "text.missing", at: place, evil)
    let note = CheckFinding(.notice, "not-heard", "Entry 3 was not heard.")
    return [
      Check("", "the program ends well", isPassed: true),
      Check("org.example", evil, isPassed: false, [finding, note]),
      Check("", "what was not heard", isPassed: true, [note]),
    ]
  }

  private func run(_ words: [String], _ lines: [String]) throws -> (status: Int32, output: String) {
    let scratch = try ScratchDirectory()
    let file = scratch("output")
    try (lines.joined(separator: "\n") + "\n").write(
      toFile: file,
      atomically: true,
      encoding: .utf8
    )
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words + [file]
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
  }

  @Test func `prove finds the failed check, and no fault in the rest`() throws {
    let lines = try #require(CheckFormat.tap.rows(checks, of: "suite"))

    let (status, output) = try run(["prove", "--exec", "cat"], lines)

    #expect(status != 0)
    #expect(output.contains("Tests: 3 Failed: 1"))
    #expect(output.contains("Failed test:  2"))
    #expect(!output.contains("Parse errors"))
  }

  @Test func `prove is content with checks that have passed`() throws {
    let lines = try #require(CheckFormat.tap.rows([checks[0], checks[2]], of: "suite"))

    #expect(try run(["prove", "--exec", "cat"], lines).status == 0)
  }

  @Test func `the XML of JUnit has every text as it is`() throws {
    let lines = try #require(CheckFormat.junit.rows(checks, of: "suite"))
    let program = """
      import sys, xml.etree.ElementTree as tree
      root = tree.parse(sys.argv[1]).getroot()
      suite = root[0]
      print(suite.get('name'), suite.get('tests'), suite.get('failures'))
      for case in suite:
          print(case.get('classname'), '|', case.get('name'), '|', [part.tag for part in case])
      print(suite[1][0].get('message'))
      """

    let (status, output) = try run(["python3", "-c", program], lines)

    let shown = "50% <b> & \"C\", a:b #1<U+000A><U+001B>[2J \\ ]]>"
    #expect(status == 0, "\(output)")
    #expect(
      output == """
        suite 3 1
        suite | the program ends well | []
        org.example | \(shown) | ['failure']
        suite | what was not heard | ['system-out']
        \(shown)

        """
    )
  }

  @Test func `control characters never come into XML`() throws {
    let check = Check("\u{0}\u{1F}", "\u{FFFE}\u{8}", isPassed: true)
    let lines = try #require(CheckFormat.junit.rows([check], of: "a\u{1}\tb"))

    let program =
      "import sys, xml.etree.ElementTree as t; print(t.parse(sys.argv[1]).getroot()[0].get('name'))"
    #expect(try run(["python3", "-c", program], lines).output == "a\tb\n")
  }

  @Test func `workflow commands of GitHub have its escapes`() throws {
    let lines = try #require(CheckFormat.github.rows(checks, of: "suite"))

    #expect(
      lines == [
        "::error file=tests/a%2Cb.txt,line=3,col=7,title=org.example%2C text.missing::50%25 <b> &"
          + " \"C\", a:b #1<U+000A><U+001B>[2J \\ ]]>",
        "::notice title=org.example%2C not-heard::Entry 3 was not heard.",
        "::notice title=not-heard::Entry 3 was not heard.", "3 checks, 1 failed.",
      ]
    )
  }
}
