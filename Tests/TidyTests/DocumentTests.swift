// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The documents that a newcomer expects in the repository.
@Suite struct DocumentTests {
  @Test(arguments: [
    "README.md", "ARCHITECTURE.md", "docs/semantics.md", "docs/protocol.md",
    "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "LICENSE", "Makefile", "Config/a11yd.toml",
  ])
  func `it is there`(path: String) {
    #expect(Tree.exists(path), "\(path) is missing")
  }

  @Test(arguments: [
    ("a11y-speech", "Sources/a11y-speech/SpeechMessage.swift"),
    ("a11y-ssip", "Sources/a11y-ssip/DoorMessageID.swift"),
    ("a11y-atspi", "Sources/a11y-atspi/AtspiMessage.swift"),
    ("a11y-forward", "Sources/a11y-forward/ForwardMessage.swift"),
  ])
  func `the catalog of a program explains each of its messages`(
    program: String,
    source: String
  ) throws {
    let code = try Tree.text(source)
    let catalog = try Tree.text("systemd/\(program).catalog")
    let ids = code.matches(of: /"([0-9a-f]{32})"/).map { String($0.1) }
    let explained = catalog.split(separator: "\n").filter { $0.hasPrefix("-- ") }
      .map { String($0.dropFirst(3)) }

    #expect(!ids.isEmpty)
    #expect(Set(ids) == Set(explained))
  }

  @Test func `the changelog has a section for what is not released yet`() throws {
    let lines = try Tree.text("CHANGELOG.md").split(separator: "\n")

    #expect(lines.contains { $0.hasPrefix("##") && $0.contains("Unreleased") })
  }

  @Test(arguments: ["make run", "make test"])
  func `the readme tells how to try it and how to test it`(command: String) throws {
    #expect(try Tree.text("README.md").contains(command))
  }

  @Test func `the Swift of the page for developers compiles`() throws {
    let consumer = try Tree.text("Tests/A11yClientTests/ConsumerTests.swift")
    let start = try #require(consumer.range(of: "// The page begins here.\n"))
    let end = try #require(consumer.range(of: "// The page ends here."))
    let page = Set(
      try Tree.text("docs/apps.md").split(separator: "\n").map { $0.drop { $0 == " " } }
    )
    for line in consumer[start.upperBound..<end.lowerBound].split(separator: "\n") {
      let code = line.drop { $0 == " " }
      #expect(code.isEmpty || page.contains(code), "the page for developers lacks \(code)")
    }
  }

  @Test(arguments: ["A11yClient.md", "FromUIAccessibility.md"])
  func `the Swift of the library's articles compiles`(article: String) throws {
    func code(_ text: Substring) -> [Substring] {
      text.split(separator: "\n").map { $0.drop { $0 == " " } }
    }
    let compiled = Set(code(try Tree.text("Tests/A11yClientTests/DocumentedCode.swift")[...]))
    let text = try Tree.text("Sources/A11yClient/A11yClient.docc/\(article)")
    let blocks = text.matches(of: /```swift\n((?:.|\n)*?)```/).map(\.1)
    #expect(!blocks.isEmpty)
    for line in blocks.flatMap(code) {
      #expect(compiled.contains(line), "\(article) has a line that is not compiled: \(line)")
    }
  }

  @Test(arguments: ["run", "test", "lint", "release", "install", "man", "deb"])
  func `what the documents name is a target of the Makefile`(target: String) throws {
    let lines = try Tree.text("Makefile").split(separator: "\n")

    #expect(lines.contains { $0.hasPrefix("\(target):") })
  }

  @Test func `documents point at files that are there`() throws {
    let documents =
      ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
      + (try Tree.files(below: "docs", "clients", named: [".md"]).map(\.path))
    for document in documents {
      let folder = document.split(separator: "/").dropLast().map { $0 + "/" }.joined()
      for match in try Tree.text(document).matches(of: /\]\(([^)#:]+)(?:#[^)]*)?\)/) {
        #expect(Tree.exists(folder + String(match.1)), "\(document) points at \(match.1)")
      }
    }
  }

  @Test func `documents name types and files that are there`() throws {
    let code =
      try Tree.files(below: "Sources", "Tests", "clients")
      + [Tree.File(path: "Package.swift", text: "")]
    let rooms = Set(code.flatMap { $0.path.split(separator: "/").map(String.init) })
    let keywords = ["struct", "class", "enum", "actor", "protocol", "typealias", "case", "module"]
    let lines = code.flatMap(\.lines).filter { line in keywords.contains { line.contains($0) } }
    let types = Set(lines.flatMap { $0.split { !$0.isLetter && !$0.isNumber } }.map(String.init))
    for document in ["ARCHITECTURE.md", "CONTRIBUTING.md", "docs/bounds.md"] {
      let names = try Tree.text(document)
        .matches(of: /`([A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*|[^`\s\/]+\.swift)`/).map { String($0.1) }
      #expect(!names.isEmpty)
      for name in names where !types.contains(name) && !rooms.contains(name) {
        Issue.record("\(document) names \(name)")
      }
    }
  }

  // MARK: Units

  /// A line `Name=value` of a unit.
  private struct Setting {
    let unit: Tree.File
    let name: String
    let value: String
  }

  private func settings() throws -> [Setting] {
    try Tree.files(below: "systemd", named: [".service", ".socket"]).flatMap { unit in
      unit.lines.compactMap { line -> Setting? in
        guard let match = line.firstMatch(of: /^([A-Za-z]+)=(.*)$/) else { return nil }
        return Setting(unit: unit, name: String(match.1), value: String(match.2))
      }
    }
  }

  @Test func `units name only units of ours that are there`() throws {
    let names = ["Requires", "After", "Before", "Also", "Service", "Sockets", "Wants", "BindsTo"]
    var seen = 0
    for setting in try settings() where names.contains(setting.name) {
      for unit in setting.value.split(separator: " ") where unit.hasPrefix("a11yd") {
        let folder = setting.unit.path.split(separator: "/").dropLast().joined(separator: "/")
        #expect(Tree.exists("\(folder)/\(unit)"), "\(setting.unit.path) names \(unit)")
        seen += 1
      }
    }
    #expect(seen > 0)
  }

  @Test func `units start programs that are built`() throws {
    let manifest = try Tree.text("Package.swift")
    var seen = 0
    for setting in try settings() where setting.name.hasPrefix("Exec") {
      let path = setting.value.split(separator: " ").first?.drop { "-+!@:".contains($0) } ?? ""
      guard let program = path.split(separator: "/").last, program.hasPrefix("a11y") else {
        continue
      }
      #expect(path == "/usr/bin/\(program)", "\(setting.unit.path)")
      #expect(manifest.contains(".executable(name: \"\(program)\""), "\(setting.unit.path)")
      seen += 1
    }
    #expect(seen > 0)
  }

  @Test func `each unit points at manual pages that are there`() throws {
    let pages = try settings().filter { $0.name == "Documentation" }
    for setting in pages {
      for page in setting.value.matches(of: /man:([a-z0-9.-]+)\((\d)\)/) {
        #expect(
          Tree.exists("docs/man/\(page.1).\(page.2).md"),
          "\(setting.unit.path) names \(page.1)(\(page.2))"
        )
      }
    }
    let units = try Tree.files(below: "systemd", named: [".service", ".socket"]).map(\.path)
    #expect(pages.map(\.unit.path).sorted() == units)
  }

  // MARK: The manual

  @Test func `manual pages refer to pages that are there`() throws {
    var seen = 0
    for page in try Tree.files(below: "docs/man", named: [".md"]) {
      for match in page.text.matches(of: /\b(a11y[a-z0-9.-]*)\((\d)\)/) {
        #expect(Tree.exists("docs/man/\(match.1).\(match.2).md"), "\(page.path): \(match.0)")
        seen += 1
      }
    }
    #expect(seen > 30)
  }

  @Test func `each shipped file of settings is explained in the manual`() throws {
    let manual = try Tree.files(below: "docs/man", named: [".5.md"]).map(\.text).joined()
    for file in try Tree.files(below: "Config", named: [".toml"]) {
      let marks = ["settings", "comment"].map { "<!-- \($0) \(file.path) -->" }
      #expect(marks.contains(where: manual.contains), "\(file.path)")
    }
  }

  @Test func `all that has a version has the one of the protocol`() throws {
    let process = Process()
    process.executableURL = Tree.root.appending(path: "tools/release")
    process.arguments = ["version"]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test func `each sentence about what stays names a test that is there`() throws {
    let page = try Tree.text("docs/promise.md")
    let tests = try Tree.files(below: "Tests", named: ["Tests.swift"]).map(\.text).joined()
    var named = 0
    for group in page.matches(of: /\(([^()]*`[^()]*)\)/) {
      for name in group.1.matches(of: /`([^`]+)`/).map({ $0.1 }) where name != "describe" {
        named += 1
        let words = name.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        #expect(tests.contains("func `\(words)`") || tests.contains("struct \(words)"), "\(words)")
      }
    }
    #expect(named > 20)
  }

  @Test func `sockets have the names that the daemon tells them apart by`() throws {
    // The last is the door's only one.
    let known = ["bus", "publish", "read", "control", "metrics", "ssip"]
    for setting in try settings() where setting.name == "FileDescriptorName" {
      #expect(known.contains(setting.value), "\(setting.unit.path)")
    }
  }
}
