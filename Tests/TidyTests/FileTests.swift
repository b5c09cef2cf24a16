// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The rules that every file keeps.
@Suite struct FileTests {
  private static let code = [".swift", ".c", ".cpp", ".h", ".sh", ".py"]

  private func code() throws -> [Tree.File] {
    try Tree.files(below: "Sources", "Tests", "clients", named: Self.code)
  }

  @Test func `every file of code begins with its two lines of licence`() throws {
    let scripts = try Tree.files(below: "tools", ".ci", named: [".sh"])
    for file in try code() + scripts {
      let head = file.lines.filter { !$0.hasPrefix("#!") }.prefix(2).map { line in
        line.drop { $0 == "/" || $0 == "#" || $0 == " " }
      }
      #expect(
        head == [
          "SPDX-FileCopyrightText: The a11yd authors", "SPDX-License-Identifier: Apache-2.0",
        ],
        "\(file.path)"
      )
    }
  }

  @Test func `nothing is left to be done later`() throws {
    // Spelt apart, so that this file keeps its own rule.
    let marks = ["TO" + "DO", "FIX" + "ME", "XX" + "X"]
    for file in try Tree.files(below: "Sources", "Tests", "clients", "Config", "systemd", "tools") {
      let places = file.places { line in
        let words = line.split { !$0.isLetter }
        return marks.contains { words.contains($0[...]) }
      }
      #expect(places == [])
    }
  }

  @Test func `no test sleeps`() throws {
    let call = "sle" + "ep("
    for file in try Tree.files(below: "Tests", named: [".swift"]) {
      #expect(file.places { $0.contains(call) } == [])
    }
  }

  @Test func `no path of a developer's machine is in the tree`() throws {
    // Ada is nobody's machine; tests call their user so.
    let path = try Regex(#"(?:^|[^\w$}])/(?:home/(?!ada\b)|root/|Users/|work/)"#)
    let folders = ["Sources", "Tests", "clients", "Config", "systemd", "tools", ".ci"]
    for file in try folders.flatMap({ try Tree.files(below: $0) })
    where file.path != "Tests/TidyTests/FileTests.swift" {
      let places = file.places { $0.contains(path) || $0.contains(Tree.root.path + "/") }
      #expect(places == [])
    }
  }

  @Test func `nothing is printed with lines drawn out of characters`() throws {
    for file in try Tree.files(below: "Sources", "clients", "tools") {
      let places = file.places { line in
        line.unicodeScalars.contains { (0x2500...0x259f).contains($0.value) }
      }
      #expect(places == [])
    }
  }

  @Test func `every file ends with a newline, and no line with space`() throws {
    for file in try code() {
      #expect(file.text.hasSuffix("\n") && !file.text.hasSuffix("\n\n"), "\(file.path)")
      #expect(file.places { $0.hasSuffix(" ") || $0.contains("\t") } == [])
    }
  }

  @Test func `the files that are looked for are found`() throws {
    let files = try code()

    #expect(files.count > 100)
    #expect(files.contains { $0.path == "Sources/A11yBroker/Broker.swift" })
    #expect(files.contains { $0.path.hasSuffix(".cpp") })
  }
}
