// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yLog
import A11yPosix
import A11yTestKit
import A11yWire
import Testing

@testable import A11yDaemon

@Suite struct GuestBookTests {
  @Test func `five users of apps leave the places of readers and operators free`() {
    var book = book()
    for uid in 1...5 as ClosedRange<UInt32> { fill(&book, uid, .publish) }

    #expect(book.count == 4_096 - 2 * 64)
    book.welcome(9, .read, times: 64)
    book.welcome(9, .control, times: 64)
    #expect(book.admission(of: 9, at: .read) == Self.full(4_096))
    #expect(book.admission(of: 9, at: .control) == Self.full(4_096))
  }

  @Test func `an eighth is kept where that is fewer`() {
    var book = book(connections: 80)
    fill(&book, 1, .publish)

    #expect(book.count == 60)
    book.welcome(2, .read, times: 10)
    #expect(book.admission(of: 2, at: .read) == Self.full(80))
  }

  @Test func `a user whose apps have all their connections still gets a reader in`() {
    var book = book()
    fill(&book, 1, .publish)

    #expect(book.count == 1_024)
    book.welcome(1, .read)
  }

  @Test func `a place is given up by the one with most, for one with few`() {
    var book = book(connections: 100)
    book.welcome(1, .publish, times: 50)
    book.welcome(2, .publish, times: 26)

    #expect(book.admission(of: 2, at: .publish) == Self.full(100))
    for _ in 0..<16 {
      #expect(book.admission(of: 3, at: .publish) == .inPlaceOf(uid: 1))
      book.leave(1, .publish)
      book.enter(3, .publish)
    }
    #expect(book.admission(of: 3, at: .publish) == Self.full(100))
    #expect(book.admission(of: 1, at: .publish) == Self.full(100))
  }

  @Test func `users who all have few keep what they have`() {
    var book = book(connections: 8)
    for uid in 1...6 as ClosedRange<UInt32> { book.welcome(uid, .publish) }

    #expect(book.admission(of: 7, at: .publish) == Self.full(8))
  }

  @Test func `nothing is kept where there is one socket for all`() {
    var book = GuestBook(limits: quotas(20), affordable: 4_096)
    book.add(.bus)
    fill(&book, 1, .bus)

    #expect(book.count == 20)
  }

  @Test func `those who have left make room`() {
    var book = GuestBook(limits: quotas(2), affordable: 4_096)
    book.welcome(1, .bus, times: 2)
    #expect(book.admission(of: 1, at: .bus) == Self.full(2))
    book.leave(1, .bus)
    book.welcome(1, .bus)
  }

  private static func full(_ most: Int) -> GuestBook.Admission {
    .refused(Refusal(.quotaExceeded, "the bus has its \(most) connections; come again later"))
  }

  private func quotas(_ connections: Int) -> Quotas {
    var quotas = Quotas()
    quotas.connections = connections
    return quotas
  }

  private func book(connections: Int = 4_096) -> GuestBook {
    var book = GuestBook(limits: quotas(connections), affordable: 100_000)
    for role in [Role.publish, .read, .control] { book.add(role) }
    return book
  }

  private func fill(_ book: inout GuestBook, _ uid: UInt32, _ role: Role) {
    for _ in 0..<5_000 where book.admission(of: uid, at: role) == .welcome { book.enter(uid, role) }
  }
}

extension GuestBook {
  fileprivate mutating func welcome(_ uid: UInt32, _ role: Role, times: Int = 1) {
    for _ in 0..<times {
      #expect(admission(of: uid, at: role) == .welcome)
      enter(uid, role)
    }
  }
}

/// A client's socket in the daemon.
@Suite struct SocketLinkTests {
  @Test func `a stretch of a file goes out inside the kernel`() throws {
    let directory = try ScratchDirectory()
    let disk = try KernelDisk(directory.path)
    let file = try disk.create("segment")
    try file.writeAll(Array("0123456789".utf8).span, at: 0)
    let pair = try UnixStream.pair()
    let theirs = FileDescriptor(adopting: pair.second.relinquish())
    let link = SocketLink(pair.first, watchedBy: try Poll())

    let count = try link.send(from: Unread(file), at: 3, count: 4)

    var bytes = [UInt8](repeating: 0, count: 8)
    let received = bytes.withUnsafeMutableBytes { theirs.receive(into: $0) }
    #expect(count == 4)
    #expect(received == .bytes(4))
    #expect(bytes.starts(with: "3456".utf8))
  }
}

/// A file whose bytes never come into this process.
private final class Unread: DiskFile {
  private let file: any DiskFile

  init(_ file: any DiskFile) { self.file = file }

  var number: Int32? { file.number }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(Errno) -> Int {
    throw .notPermitted
  }

  func write(_ bytes: Span<UInt8>, at offset: Int64) throws(Errno) -> Int { throw .notPermitted }

  func birth() throws(Errno) -> FileBirth? { throw .notPermitted }

  func truncate(to size: Int64) throws(Errno) { throw .notPermitted }

  func size() throws(Errno) -> Int64 { try file.size() }

  func synchronize() throws(Errno) { throw .notPermitted }
}
