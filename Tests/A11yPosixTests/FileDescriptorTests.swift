// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Testing

@Suite struct FileDescriptorTests {
  private let directory: ScratchDirectory

  init() throws {
    directory = try ScratchDirectory()
  }

  @Test func `what is written at an offset is read from there`() throws {
    let file = try FileDescriptor.open(directory("log"), [.readWrite, .create, .exclusive])

    try file.writeAll([1, 2, 3, 4].span)
    let written = try file.write([9, 9].span, at: 1)
    var bytes = [UInt8](repeating: 0, count: 8)
    let count = try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }

    #expect(written == 2)
    #expect(Array(bytes[..<count]) == [1, 9, 9, 4])
    #expect(try file.size() == 4)
  }

  @Test func `a file is cut to size and reaches the medium`() throws {
    let file = try FileDescriptor.open(directory("log"), [.readWrite, .create])
    try file.writeAll([1, 2, 3].span)

    try file.truncate(to: 1)
    try file.synchronizeData()
    try file.synchronize()

    #expect(try file.size() == 1)
  }

  @Test func `a file is opened by its name in an open directory`() throws {
    let parent = try FileDescriptor.open(directory.path, [.readOnly, .directory])

    _ = try FileDescriptor.open("inner", in: parent, [.writeOnly, .create], mode: 0o640)

    #expect(try Directory.names(directory.path) == ["inner"])
  }

  @Test func `a created file has no rights for others unless asked`() throws {
    _ = try FileDescriptor.open(directory("log"), [.writeOnly, .create])

    #expect(try directory.mode("log") == 0o600)
  }

  @Test func `opening what is not there says so`() throws {
    #expect(throws: Errno.noSuchFile) { _ = try FileDescriptor.open(directory("none"), .readOnly) }
  }

  @Test func `a descriptor closes with its owner`() throws {
    let pair = try UnixStream.pair()

    let kept = pair.second
    close(pair.first)
    var byte: [UInt8] = [0]
    let got = byte.withUnsafeMutableBytes { kept.receive(into: $0) }

    #expect(got == .ended)
  }

  @Test func `a relinquished descriptor stays open for its next owner`() throws {
    let file = try FileDescriptor.open(directory("log"), [.readWrite, .create])

    let again = FileDescriptor(adopting: file.relinquish())

    #expect(try again.size() == 0)
  }

  @Test func `a file goes into a socket inside the kernel`() throws {
    let file = try FileDescriptor.open(directory("log"), [.readWrite, .create])
    try file.writeAll([1, 2, 3, 4, 5].span)
    let pair = try UnixStream.pair()

    let sent = try pair.first.send(fileNumber: file.number, from: 1, count: 3)
    let past = try pair.first.send(fileNumber: file.number, from: 5, count: 3)
    var bytes = [UInt8](repeating: 0, count: 8)
    let got = bytes.withUnsafeMutableBytes { pair.second.receive(into: $0) }

    #expect(sent == 3)
    #expect(past == 0)
    #expect(got == .bytes(3))
    #expect(Array(bytes[..<3]) == [2, 3, 4])
  }
}
