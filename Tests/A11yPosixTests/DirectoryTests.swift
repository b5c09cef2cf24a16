// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Testing

@Suite struct DirectoryTests {
  private let directory: ScratchDirectory

  init() throws {
    directory = try ScratchDirectory()
  }

  @Test(arguments: ["a", "b/c/d", "e//f/", "g/"])
  func `a directory is made with all that is missing above it`(name: String) throws {
    try Directory.create(directory(name), mode: 0o700)
    try Directory.create(directory(name), mode: 0o700)

    #expect(try File.isPrivateToUs(directory(name)))
    #expect(try Directory.names(directory(name)) == [])
  }

  @Test func `a file in the way is not a directory`() throws {
    _ = try FileDescriptor.open(directory("file"), [.writeOnly, .create])

    #expect(throws: Errno.notDirectory) { try Directory.create(directory("file"), mode: 0o700) }
  }

  @Test func `names come sorted`() throws {
    for name in ["b", "a.log", "c", "a"] {
      _ = try FileDescriptor.open(directory(name), [.writeOnly, .create])
    }

    #expect(try Directory.names(directory.path) == ["a", "a.log", "b", "c"])
  }

  @Test func `a renamed file takes the place of the old and lasts`() throws {
    try FileDescriptor.open(directory("new"), [.writeOnly, .create]).writeAll([1].span)
    _ = try FileDescriptor.open(directory("old"), [.writeOnly, .create])

    try File.rename(directory("new"), to: directory("old"))
    try Directory.synchronize(directory.path)

    #expect(try Directory.names(directory.path) == ["old"])
    #expect(try File.read(directory("old"), limit: 8) == [1])
  }
}
