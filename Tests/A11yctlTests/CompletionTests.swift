// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import a11yctl

/// The words that a shell offers.
@Suite struct CompletionTests {
  private let completion = Completion(
    apps: { ["org.example.Mail", "org.example.Files"] },
    rules: { ["announcement low", "quiet mail"] }
  )

  private func words(_ line: String...) -> [String] {
    guard case .words(let candidates) = completion.offer(line) else { return [":"] }
    return candidates.map(\.word)
  }

  @Test func `the first word is a command, a group or help`() {
    #expect(words("re").sorted() == ["reader", "reload", "replay", "report"])
    #expect(words("lo") == ["log"])
    #expect(words("help", "qui") == ["quiet"])
  }

  @Test func `the second word of a group is one of its commands`() {
    #expect(words("log", "ver") == ["verify"])
    #expect(words("rules", "") == ["show", "check", "try"])
  }

  @Test func `an option is completed from the help of its command`() {
    #expect(words("tail", "--no") == ["--no-seq"])
    #expect(words("log", "cat", "--si") == ["--since"])
  }

  @Test func `an app is one that the bus knows`() {
    #expect(words("tail", "--app", "org.example.M") == ["org.example.Mail"])
    #expect(words("mute", "org.example.F") == ["org.example.Files"])
  }

  @Test func `a rule is one that the bus goes by`() {
    #expect(words("why", "--rule", "") == ["announcement low", "quiet mail"])
    #expect(words("why", "--rule", "q") == ["quiet mail"])
  }

  @Test func `times, types and the words of the protocol are offered`() {
    #expect(words("missed", "--since", "y") == ["yesterday"])
    #expect(words("tail", "--from", "st") == ["start"])
    #expect(words("log", "cat", "--to", "y") == ["yesterday"])
    #expect(words("tail", "--type", "screen") == ["screen-changed"])
    #expect(words("announce", "--priority", "h") == ["high"])
    #expect(words("quiet", "o") == ["on", "off"])
    #expect(words("rules", "show", "--class", "ti") == ["timer"])
    #expect(words("lint", "--format", "j") == ["junit"])
  }

  @Test func `files are left to the shell`() {
    #expect(words("replay", "") == [":"])
    #expect(words("why", "") == [":"])
    #expect(words("report", "--output", "") == [":"])
  }

  @Test func `nothing is offered where nothing is known`() {
    #expect(words("nonsense", "").isEmpty)
    #expect(words("log", "nonsense", "").isEmpty)
    #expect(words("history", "4").isEmpty)
  }

  @Test(arguments: ShellScript.allCases)
  func `the shell takes its script`(shell: ShellScript) throws {
    let program = "/usr/bin/\(shell.rawValue)"
    try #require(FileManager.default.isExecutableFile(atPath: program), "make deps brings it")
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = shell == .fish ? ["--no-config", "--no-execute"] : ["-n"]
    let input = Pipe()
    process.standardInput = input
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(shell.text.utf8))
    try input.fileHandleForWriting.close()
    process.waitUntilExit()

    #expect(process.terminationStatus == 0)
  }
}
