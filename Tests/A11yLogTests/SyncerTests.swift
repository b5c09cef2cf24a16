// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Testing

@testable import A11yLog

/// The kernel's word about a file counts only while the file's name leads to it.
@Suite struct SyncerTests {
  let directory: ScratchDirectory
  let disk: KernelDisk
  let syncer: Syncer

  init() throws {
    directory = try ScratchDirectory()
    disk = try KernelDisk(directory.path)
    syncer = try Syncer(directory: directory.path)
  }

  private func ask(_ file: any DiskFile) throws {
    #expect(syncer.request(file, isNew: true))
    try syncer.wait().get()
  }

  @Test func `a file is safe as long as it has a name, whichever that is`() throws {
    let file = try disk.create("a")
    try file.writeAll([1, 2, 3].span, at: 0)
    try ask(file)
    try file.synchronize()

    try disk.rename("a", to: "b")
    try ask(file)
    try file.synchronize()
  }

  @Test func `who looks for a file beside the log takes no answer from the log`() throws {
    #expect(syncer.request(try disk.create("a"), isNew: true))
    _ = try syncer.answers.waitReady(for: .readable, timeoutMilliseconds: -1)

    #expect(syncer.brought()?.file == nil)
    let ready = try syncer.answers.waitReady(for: .readable, timeoutMilliseconds: 0)
    #expect(ready.contains(.readable), "the loop is still to be told")
    try #require(syncer.answer()).get()
  }

  @Test func `what the kernel says of the medium is what comes back`() throws {
    // A socket is on no medium.
    let pair = try UnixStream.pair()
    let file = KernelFile(FileDescriptor(adopting: pair.second.relinquish()))

    #expect(throws: Errno.invalidArgument) { try ask(file) }
  }

  @Test func `the names are brought to the medium with a file that is new`() throws {
    // The names in there are on no medium.
    let syncer = try Syncer(directory: "/proc")
    let file = try disk.create("a")

    #expect(syncer.request(file, isNew: true))
    #expect(throws: Errno.invalidArgument) { try syncer.wait().get() }
    #expect(syncer.request(file, isNew: false))
    try syncer.wait().get()
  }

  @Test(arguments: [false, true])
  func `a file that was removed or replaced is not`(isReplaced: Bool) throws {
    let file = try disk.create("a")
    if isReplaced {
      _ = try disk.create("b")
      try disk.rename("b", to: "a")
    } else {
      try disk.remove("a")
    }

    #expect(throws: Errno.noSuchFile) { try ask(file) }
    #expect(throws: Errno.noSuchFile) { try file.synchronize() }
  }
}
