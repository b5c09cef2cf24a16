// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import A11yDaemon

@Suite struct MessageCatalogTests {
  private let lines: [Substring]

  init() throws {
    let package = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
    let file = package.appending(path: "systemd/a11yd.catalog")
    lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
  }

  @Test func `the catalog explains every message, and no other`() {
    let explained = lines.filter { $0.hasPrefix("-- ") }.map { String($0.dropFirst(3)) }

    #expect(explained.sorted() == MessageCatalog.allCases.map(\.rawValue).sorted())
  }

  /// `OperatorReport.say` sees to it that an entry has the fields of its kind.
  @Test func `an explanation names no field but those that its message always has`() throws {
    var message: MessageCatalog?
    for line in lines {
      if line.hasPrefix("-- ") { message = MessageCatalog(rawValue: String(line.dropFirst(3))) }
      for name in line.matches(of: /@([^@ ]+)@/).map({ String($0.1) }) {
        let field = try #require(JournalField(rawValue: name), "\(name)")
        #expect(message?.fields.contains(field) == true, "\(name) in \(line)")
      }
    }
  }

  @Test(arguments: JournalField.allCases)
  func `a name has no digit, with which a catalog would not replace it`(field: JournalField) {
    #expect(field.rawValue.wholeMatch(of: /BUS_[A-Z_]+/) != nil)
  }
}
