// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import a11yctl

/// Scripts ask for these numbers, so each means the same for ever.
@Suite struct ExitCodeTests {
  private static let kept: [(Failure.Code, Int32)] = [
    (.readerHasEnough, 0), (.found, 1), (.usage, 64), (.refused, 65), (.noInput, 66),
    (.unreachable, 69), (.fileIsThere, 73), (.inputOutput, 74), (.held, 75), (.configuration, 78),
  ]

  @Test func `each code has the number that it had`() {
    for (code, number) in Self.kept { #expect(code.rawValue == number) }
  }

  @Test func `the page about what stays has each, once`() throws {
    let file = URL(filePath: #filePath).appending(path: "../../../docs/promise.md")
    let page = try String(contentsOf: file.standardizedFileURL, encoding: .utf8)
    let told = page.matches(of: /(?m)^\| (\d+) \| .+ \|$/).compactMap { Int32($0.1) }

    #expect(told == told.sorted() && Set(told).count == told.count)
    #expect(Set(told).isSuperset(of: Self.kept.map(\.1)))
  }
}
