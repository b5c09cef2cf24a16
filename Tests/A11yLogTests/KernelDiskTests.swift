// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Glibc
import Testing

@testable import A11yLog

/// What the log asks of a disk, asked of the kernel.
@Suite struct KernelDiskTests {
  let directory: ScratchDirectory
  let disk: KernelDisk

  init() throws {
    directory = try ScratchDirectory()
    disk = try KernelDisk(directory.path)
  }

  @Test func `what was written is brought to the medium, and the names too`() throws {
    // A socket is on no medium, and neither are the names in there.
    let pair = try UnixStream.pair()
    let file = KernelFile(FileDescriptor(adopting: pair.second.relinquish()))

    #expect(throws: Errno.invalidArgument) { try file.synchronize() }
    #expect(throws: Errno.invalidArgument) { try KernelDisk("/proc").synchronizeNames() }
    try disk.create("a").synchronize()
    try disk.synchronizeNames()
  }

  @Test func `a file that is there is not taken for a new one`() throws {
    try disk.create("a").writeAll([1, 2, 3].span, at: 0)

    #expect(throws: Errno.fileExists) { _ = try disk.create("a") }
    #expect(try disk.measure("a").size == 3)
  }

  @Test func `only a file in the narrow sense is opened`() throws {
    _ = try disk.create("a")
    symlink("a", directory("link"))
    mkfifo(directory("pipe"), 0o600)
    try disk.makeFolder("folder")

    for name in ["link", "pipe", "folder"] {
      #expect(try disk.measure(name).kind == .other)
      #expect(throws: Errno.invalidArgument) { _ = try disk.open(name) }
      #expect(throws: Errno.invalidArgument) { _ = try disk.openInPlace(name) }
    }
    _ = try disk.openInPlace("a")
  }

  @Test func `what the log makes is nobody else's to read`() throws {
    _ = try disk.create("a")
    try disk.makeFolder("folder")

    #expect(try File.isPrivateToUs(directory("a")))
    #expect(try File.isPrivateToUs(directory("folder")))
  }
}
