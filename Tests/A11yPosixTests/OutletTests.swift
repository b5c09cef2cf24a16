// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Glibc
import Testing

/// Lines that nobody reads must make nobody wait: these tests would not end.
@Suite(.timeLimit(.minutes(hangs)))
struct OutletTests {
  private let directory: ScratchDirectory

  init() throws { directory = try ScratchDirectory() }

  /// A pipe whose ends are the test's.
  private struct Pipe: ~Copyable {
    let reading: FileDescriptor
    let writing: FileDescriptor

    init() throws {
      var ends: [Int32] = [0, 0]
      guard Glibc.pipe(&ends) == 0 else { throw Errno.current }
      reading = FileDescriptor(adopting: ends[0])
      writing = FileDescriptor(adopting: ends[1])
    }
  }

  private func text(_ file: borrowing FileDescriptor) throws -> String {
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = try bytes.withUnsafeMutableBytes { try file.read(into: $0) }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  @Test func `a line is written where there is room`() throws {
    let ends = try Pipe()
    let outlet = Outlet(over: ends.writing.number)

    #expect(outlet.offer("one\n"))
    #expect(try text(ends.reading) == "one\n")
  }

  @Test func `a full pipe takes nothing, and its other writers wait as before`() throws {
    let ends = try Pipe()
    let outlet = Outlet(over: ends.writing.number)
    let line = String(repeating: "x", count: 4_095) + "\n"
    while outlet.offer(line) {}

    #expect(!outlet.offer("more\n"))
    #expect(fcntl(ends.writing.number, F_GETFL) & O_NONBLOCK == 0)
  }

  @Test func `a line that was written in part ends before the next one`() throws {
    let ends = try Pipe()
    let outlet = Outlet(over: ends.writing.number)
    let long = String(repeating: "x", count: 100_000) + "\n"

    #expect(!outlet.offer(long))
    _ = try text(ends.reading)
    #expect(outlet.offer("next\n"))
    #expect(try text(ends.reading) == "\nnext\n")
  }

  @Test func `a full socket takes nothing`() throws {
    let ends = try UnixStream.pair()
    _ = fcntl(ends.first.number, F_SETFL, 0)
    let outlet = Outlet(over: ends.first.number)
    while outlet.offer("some words\n") {}

    #expect(!outlet.offer("more\n"))
    #expect(fcntl(ends.first.number, F_GETFL) & O_NONBLOCK == 0)
  }

  private func writingAlone() throws -> FileDescriptor {
    let pipe = try Pipe()
    return FileDescriptor(adopting: dup(pipe.writing.number))
  }

  @Test func `a reader who has gone costs nothing but the line`() throws {
    let writing = try writingAlone()
    Signals.ignoreBrokenPipe()
    let outlet = Outlet(over: writing.number)

    #expect(!outlet.offer("one\n"))
  }

  @Test func `a file is written where it was`() throws {
    let file = try FileDescriptor.open(directory("file"), [.readWrite, .create])
    try file.writeAll(Array("before\n".utf8).span)
    let outlet = Outlet(over: file.number)

    #expect(outlet.offer("one\n"))
    #expect(try File.read(directory("file"), limit: 99) == Array("before\none\n".utf8))
  }
}
