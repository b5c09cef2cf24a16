// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Foundation
import Testing

@Suite struct MappedFileTests {
  private let directory: ScratchDirectory

  init() throws { directory = try ScratchDirectory() }

  @Test func `what was written is there for whoever opens the file next`() throws {
    let path = directory("mark")
    do {
      let file = try MappedFile(path, count: 40)
      #expect(file.read(40, at: 0) == Array(repeating: 0, count: 40))
      file.write("abc".utf8, at: 0)
      file.write(-5, at: 32)
    }

    let file = try MappedFile(path, count: 40)

    #expect(file.read(4, at: 0) == Array("abc\0".utf8))
    #expect(file.number(at: 32) == -5)
  }

  @Test func `a link is not followed`() throws {
    try FileManager.default.createSymbolicLink(
      atPath: directory("mark"),
      withDestinationPath: directory("elsewhere")
    )

    #expect(throws: Errno.self) { try MappedFile(directory("mark"), count: 8) }
  }
}
