// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The words of the client library, which repeats those of the bus for the apps that link it.
@Suite struct VocabularyTests {
  @Test func `each set of words of the client is compared with the schema`() throws {
    let comparison = try Tree.text("Tests/A11yClientTests/SchemaTests.swift")
    var seen = 0
    for file in try Tree.files(below: "Sources/A11yClient", named: [".swift"]) {
      for match in file.text.matches(of: /public enum (\w+): String[^{]*CaseIterable/) {
        #expect(comparison.contains("\(match.1).allCases"), "\(file.path): \(match.1)")
        seen += 1
      }
    }
    #expect(seen > 5)
  }

  @Test func `the client knows the classes of announcements that the rules know`() throws {
    let client = try Tree.files(below: "Sources/A11yClient", named: [".swift"]).flatMap { file in
      file.text.matches(of: /static let (\w+): AnnouncementClass = "(\w+)"/).map { $0.output.2 }
    }
    let rules = try Tree.files(below: "Sources/A11yRules", named: [".swift"]).flatMap { file in
      file.text.matches(of: /enum SpeechClass[^{]*\{\n\s*case ([\w, ]+)\n/).flatMap { match in
        match.output.1.split(separator: ", ")
      }
    }

    #expect(!rules.isEmpty)
    #expect(client.sorted() == rules.sorted())
  }
}
