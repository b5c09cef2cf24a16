// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yLog
import A11yPosix
import Testing

@testable import a11y_sim

@Suite struct SimDiskTests {
  private let disk = SimDisk(Dice(seed: 7))

  private func put(_ text: String, into file: any DiskFile, at offset: Int64) throws {
    try file.writeAll(Array(text.utf8).span, at: offset)
  }

  private func text(_ name: String) -> String? {
    disk.content(name).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `what was written is read, and the end is zero bytes`() throws {
    let file = try disk.create("a")
    try put("hello", into: file, at: 0)
    var room = [UInt8](repeating: 0, count: 16)

    let (front, behind) = try room.withUnsafeMutableBytes { room in
      (try file.read(into: room, at: 1), try file.read(into: room, at: 5))
    }

    #expect(front == 4 && behind == 0)
    #expect(String(decoding: room[..<4], as: UTF8.self) == "ello")
    #expect(try file.size() == 5)
    #expect(try disk.measure("a") == DiskEntry(kind: .file, size: 5, modifiedMicroseconds: 0))
  }

  @Test func `a process that is killed has lost nothing`() throws {
    try put("hello", into: try disk.create("a"), at: 0)

    disk.killProcess()

    #expect(text("a") == "hello")
  }

  @Test func `content without its name is lost with the power`() throws {
    let file = try disk.create("a")
    try put("hello", into: file, at: 0)
    try file.synchronize()

    disk.losePower(.everything)

    #expect(try disk.names(in: nil) == [])
  }

  @Test func `a name without its content is an empty file after a power cut`() throws {
    let file = try disk.create("a")
    try put("hello", into: file, at: 0)
    try disk.synchronizeNames()

    disk.losePower(.everything)

    #expect(text("a") == "")
  }

  @Test func `what was synchronized stays, whatever the power takes`() throws {
    for loss in FileImage.Loss.allCases {
      let disk = SimDisk(Dice(seed: 3))
      let file = try disk.create("a")
      try put("hello", into: file, at: 0)
      try file.synchronize()
      try disk.synchronizeNames()
      try put(" world", into: file, at: 5)

      disk.losePower(loss)

      let content = try #require(disk.content("a"))
      #expect(content.starts(with: Array("hello".utf8)))
      #expect(content.count <= 11)
    }
  }

  @Test func `a power cut can keep a later sector and lose an earlier one`() throws {
    var outcomes: Set<[Bool]> = []
    for seed in 0..<200 {
      let disk = SimDisk(Dice(seed: UInt64(seed)))
      let file = try disk.create("a")
      try disk.synchronizeNames()
      try put(String(repeating: "x", count: 1_024), into: file, at: 0)

      disk.losePower(.anything)

      let content = try #require(disk.content("a"))
      outcomes.insert([0, 512].map { $0 < content.count && content[$0] == UInt8(ascii: "x") })
    }

    #expect(outcomes == [[true, true], [true, false], [false, true], [false, false]])
  }

  @Test func `what extends a file without having been written is zeros`() throws {
    var hasZeros = false
    for seed in 0..<100 {
      let disk = SimDisk(Dice(seed: UInt64(seed)))
      let file = try disk.create("a")
      try disk.synchronizeNames()
      try put("hello", into: file, at: 0)

      disk.losePower(.anything)

      let content = try #require(disk.content("a"))
      #expect(content.allSatisfy { $0 == 0 || "hello".utf8.contains($0) })
      if content.contains(0) { hasZeros = true }
    }

    #expect(hasZeros)
  }

  @Test func `a renaming is kept or lost, and never in between`() throws {
    var outcomes: Set<[String]> = []
    for seed in 0..<100 {
      let disk = SimDisk(Dice(seed: UInt64(seed)))
      disk.plant("old", bytes: Array("old".utf8))
      let file = try disk.create("new")
      try put("new", into: file, at: 0)
      try file.synchronize()
      try disk.synchronizeNames()
      try disk.rename("new", to: "old")

      disk.losePower()

      outcomes.insert(
        disk.fileNames.map { String(decoding: disk.content($0) ?? [], as: UTF8.self) }
      )
    }

    #expect(outcomes == [["new"], ["new", "old"]])
  }

  @Test func `a synchronization that has failed is not made up for by the next`() throws {
    let file = try disk.create("a")
    try disk.synchronizeNames()
    try put("hello", into: file, at: 0)
    disk.faults = [
      DiskFault(.fails(.inputOutput), calls: .synchronize, after: 0, isLasting: false)
    ]

    #expect(throws: Errno.inputOutput) { try file.synchronize() }
    try file.synchronize()
    disk.losePower(.nothing)

    let kept = [text("a")]
    #expect(kept == [""] || kept == ["hello"])
  }

  @Test func `after a failed synchronization all ends are possible`() throws {
    var kept: Set<String> = []
    for seed in 0..<100 {
      let disk = SimDisk(Dice(seed: UInt64(seed)))
      let file = try disk.create("a")
      try disk.synchronizeNames()
      try put("hello", into: file, at: 0)
      disk.faults = [
        DiskFault(.fails(.inputOutput), calls: .synchronize, after: 0, isLasting: false)
      ]
      #expect(throws: Errno.inputOutput) { try file.synchronize() }
      if seed.isMultiple(of: 2) { disk.evict() }
      let seen = String(decoding: disk.content("a") ?? [], as: UTF8.self)
      disk.losePower(.nothing)
      let left = String(decoding: disk.content("a") ?? [], as: UTF8.self)
      kept.insert("\(seen == "hello" ? "seen" : "evicted"), \(left.isEmpty ? "lost" : "kept")")
    }

    #expect(kept == ["seen, kept", "seen, lost", "evicted, lost"])
  }

  @Test func `the call that is the last one freezes the disk until the next life`() throws {
    let file = try disk.create("a")
    try put("hello", into: file, at: 0)
    disk.lastCall = disk.calls + 1

    #expect(throws: Errno.inputOutput) { try put("world", into: file, at: 5) }
    #expect(disk.isFrozen)
    #expect(throws: Errno.inputOutput) { try file.size() }
    disk.killProcess()

    #expect(!disk.isFrozen)
    #expect(throws: Errno.badFileDescriptor) { try file.size() }
    #expect(text("a")?.hasPrefix("hello") == true)
  }

  @Test func `a full disk takes what fits, then refuses`() throws {
    disk.capacity = 8
    let file = try disk.create("a")

    let taken = try file.write(Array("hello world".utf8).span, at: 0)

    #expect(taken == 8)
    #expect(throws: Errno.noSpace) { try file.write([1, 2].span, at: 8) }
    #expect(try file.write([1, 2].span, at: 0) == 2)
  }

  @Test func `a fault strikes the call that it is planned for, once or from then on`() throws {
    let file = try disk.create("a")
    disk.faults = [DiskFault(.fails(.noSpace), calls: .all, after: 1, isLasting: false)]

    #expect(try file.write([1].span, at: 0) == 1)
    #expect(throws: Errno.noSpace) { try file.write([1].span, at: 1) }
    #expect(try file.write([1].span, at: 1) == 1)
    disk.faults = [DiskFault(.fails(.readOnlyFileSystem), calls: .all, after: 0, isLasting: true)]
    #expect(try file.size() == 2)
    #expect(throws: Errno.readOnlyFileSystem) { try file.write([1].span, at: 2) }
    #expect(throws: Errno.readOnlyFileSystem) { try disk.remove("a") }
  }

  @Test func `a short write is short, and not the end`() throws {
    let file = try disk.create("a")
    disk.faults = [DiskFault(.isShort, calls: .write, after: 0, isLasting: true)]

    try put("hello world", into: file, at: 0)

    #expect(text("a") == "hello world")
  }

  @Test func `folders hold names of their own`() throws {
    #expect(throws: Errno.noSuchFile) { try disk.create("quarantine/a") }
    try disk.makeFolder("quarantine")
    try disk.makeFolder("quarantine")
    _ = try disk.create("quarantine/a")

    #expect(try disk.names(in: nil) == ["quarantine"])
    #expect(try disk.names(in: "quarantine") == ["a"])
    #expect(throws: Errno.noSuchFile) { try disk.names(in: "attic") }
  }

  @Test func `what is no file is not opened`() throws {
    disk.plant("pipe", .other)

    #expect(try disk.measure("pipe").kind == .other)
    #expect(throws: Errno.invalidArgument) { try disk.open("pipe") }
  }
}
