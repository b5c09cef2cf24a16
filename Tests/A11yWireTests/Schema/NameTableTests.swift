// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import A11yWire

/// Names are found by their bytes, and nothing that only looks like one.
@Suite struct NameTableTests {
  private static let names: [StaticString] = [
    "a", "ab", "abc", "abcd", "abcde", "abcdYZV", "abcdcYZV", "abcdeXYfghi", "abcdeUVfghi",
    "ttl_ms", "continuous",
  ]
  private let table = NameTable(names)

  private func index(of name: String) -> Int? { table.index(of: Array(name.utf8).span) }

  @Test func `each name has its number`() {
    for (number, name) in Self.names.enumerated() { #expect(index(of: name.description) == number) }
  }

  @Test(
    arguments: [
      "", "b", "abd", "abcdef", "abcdYZW", "abcdeXVfghi", "ttl_m", "ttl_mss", "continuouz", "Xab",
    ]
  )
  func `an unknown name has no number`(_ name: String) { #expect(index(of: name) == nil) }

  @Test func `a part of a name is not the name`() {
    for name in Self.names.map(\.description) {
      for length in 0..<name.utf8.count {
        let part = String(name.prefix(length))
        let isName = Self.names.contains { $0.description == part }
        #expect((index(of: part) != nil) == isName, "\(part)")
      }
    }
  }
}
