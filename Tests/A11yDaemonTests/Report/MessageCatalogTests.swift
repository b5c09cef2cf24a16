// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import A11yDaemon

@Suite struct MessageCatalogTests {
  @Test func `the catalog explains every message, and no other`() throws {
    let package = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
    let file = package.appending(path: "systemd/a11yd.catalog")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")

    let explained = lines.filter { $0.hasPrefix("-- ") }.map { String($0.dropFirst(3)) }

    #expect(explained.sorted() == MessageCatalog.allCases.map(\.rawValue).sorted())
  }
}
