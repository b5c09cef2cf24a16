// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yTestKit
import Foundation
import Testing

/// The manual: pages of docs/man, with lists that come from the programs, as man shows them.
@Suite(.timeLimit(.minutes(hangs)))
struct ManualTests {
  private static let package = BootedMachine.package
  private let directory: ScratchDirectory

  init() throws { directory = try ScratchDirectory() }

  /// The pages, each by its name and its section.
  static let pages: [String] = {
    let folder = package.appending(path: "docs/man").path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".md") }.map { String($0.dropLast(3)) }.sorted()
  }()

  /// The lines of a page as man shows it, and its complaints.
  private func show(_ page: String) throws -> (lines: [Substring], complaints: String) {
    let source = Self.package.appending(path: "docs/man/\(page).md").path
    let programs = URL(filePath: DaemonProcess.built("a11yd")).deletingLastPathComponent().path
    let maker = Self.package.appending(path: "tools/make-man").path
    let made = try Command(maker, [source, programs]).output()
    try Data((made + "\n").utf8).write(to: URL(filePath: directory(page)))
    let text = try Command(
      "/bin/sh",
      ["-c", #"man --warnings --local-file "$0" 2>"$0".complaints"#, directory(page)],
      environment: ["MANWIDTH": "100", "LC_ALL": "C.UTF-8", "MANPAGER": "cat"]
    ).output()
    let complaints = try String(contentsOfFile: directory("\(page).complaints"), encoding: .utf8)
    return (text.split(separator: "\n"), complaints)
  }

  @Test func `the pages that are looked for are found`() {
    #expect(Self.pages.count > 12)
  }

  @Test(arguments: pages)
  func `man has nothing to say against a page, and each section is there`(page: String) throws {
    let (lines, complaints) = try show(page)
    let headings = lines.filter { $0.first?.isLetter == true }.map(String.init)
    let usual =
      switch page.last {
      case "1", "8": ["SYNOPSIS", "DESCRIPTION", "EXIT STATUS", "EXAMPLES"]
      case "5": ["SYNOPSIS", "DESCRIPTION", "EXAMPLES"]
      default: ["DESCRIPTION"]
      }

    #expect(complaints == "")
    #expect(Set(["NAME", "SEE ALSO"] + usual).subtracting(headings) == [])
    #expect(lines.contains { $0.hasPrefix("       \(page.dropLast(2)) - ") })
    #expect(!lines.contains { $0.contains("<!--") || $0.contains("](") || $0.contains("`") })
  }

  /// The options that begin a line behind so many blanks.
  private static func options(in lines: some Sequence<Substring>, behind blanks: Int) -> Set<String>
  {
    Set(
      lines.compactMap { line in
        guard line.hasPrefix(String(repeating: " ", count: blanks) + "--") else { return nil }
        return String(line.dropFirst(blanks).prefix { $0 == "-" || $0.isLetter })
      }
    )
  }

  /// The lines of a help.
  private static func help(_ program: String, _ words: Substring...) throws -> [Substring] {
    let words = words.map(String.init) + ["--help"]
    return try Command(DaemonProcess.built(program), words).output().split(separator: "\n")
  }

  @Test(arguments: [
    "a11yd.8", "a11y-speech.1", "a11y-braille.1", "a11y-atspi.1", "a11y-ssip.1", "a11y-forward.1",
    "a11y-demo.1",
  ])
  func `the page of a program has the options that it knows, and no others`(page: String) throws {
    let known = Self.options(in: try Self.help(String(page.dropLast(2))), behind: 2)

    #expect(known.contains("--help") && known.contains("--socket"))
    #expect(Self.options(in: try show(page).lines, behind: 7) == known)
  }

  @Test func `the page of a11yctl has its commands with their options, and no others`() throws {
    var shown: [String: Set<String>] = [:]
    var isInside = false
    var name: String?
    for line in try show("a11yctl.1").lines {
      if line.first?.isLetter == true { isInside = line == "COMMANDS" }
      guard isInside else { continue }
      if let heading = line.firstMatch(of: /^ {3}(\S.*)$/)?.1 {
        name = String(heading)
        shown[String(heading)] = []
      } else if let name {
        shown[name, default: []].formUnion(Self.options(in: [line], behind: 7))
      }
    }

    let commands = try Self.help("a11yctl").compactMap {
      $0.firstMatch(of: /^  ((?:log|rules|driver|fleet) [a-z]+|[a-z]+) +[a-z]/)?.1
    }
    #expect(commands.count > 35)
    #expect(shown.keys.sorted() == commands.map(String.init).sorted())
    for command in commands {
      let words = command.split(separator: " ")
      let help =
        words.count == 1
        ? try Self.help("a11yctl", words[0]) : try Self.help("a11yctl", words[0], words[1])
      // These two stand once, in the description.
      let known = Self.options(in: help, behind: 2).subtracting(["--help", "--version"])
      #expect(shown[String(command)] == known, "\(command)")
    }
  }
}
