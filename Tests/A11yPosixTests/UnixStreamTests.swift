// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import Testing

@Suite struct UnixStreamTests {
  @Test func `an idle connection would block`() throws {
    let pair = try UnixStream.pair()
    var byte: [UInt8] = [0]

    let got = byte.withUnsafeMutableBytes { pair.first.receive(into: $0) }

    #expect(got == .wouldBlock)
  }

  @Test func `bytes arrive, then the end`() throws {
    let pair = try UnixStream.pair()
    var bytes = [UInt8](repeating: 0, count: 8)

    let sent = pair.first.send([7, 8].span)
    try pair.first.shutdownSending()
    let first = bytes.withUnsafeMutableBytes { pair.second.receive(into: $0) }
    let second = bytes.withUnsafeMutableBytes { pair.second.receive(into: $0) }

    #expect(sent == .sent(2))
    #expect(first == .bytes(2))
    #expect(second == .ended)
    #expect(Array(bytes[..<2]) == [7, 8])
  }

  @Test func `a slow peer gets a part and then blocks us`() throws {
    let pair = try UnixStream.pair()
    try pair.first.setSendBuffer(bytes: 8192)
    let megabyte = [UInt8](repeating: 1, count: 1 << 20)

    var outcome = pair.first.send(megabyte.span)
    guard case .sent(let count) = outcome else { throw Errno.inputOutput }
    while case .sent = outcome { outcome = pair.first.send(megabyte.span) }

    #expect(count > 0 && count < megabyte.count)
    #expect(outcome == .wouldBlock)
  }

  @Test func `sending to one who has gone is an error, not a signal`() throws {
    let pair = try UnixStream.pair()

    close(pair.second)
    let sent = pair.first.send([1].span)

    #expect(sent == .failed(.brokenPipe))
  }

  @Test func `readiness is told, and time that is up is nothing`() throws {
    let pair = try UnixStream.pair()

    let idle = try pair.first.waitReady(for: .readable, timeoutMilliseconds: 0)
    let free = try pair.first.waitReady(for: [.readable, .writable], timeoutMilliseconds: 0)
    close(pair.second)
    let gone = try pair.first.waitReady(for: [.readable, .peerClosed], timeoutMilliseconds: -1)

    #expect(idle == [])
    #expect(free == .writable)
    #expect(gone.isSuperset(of: [.readable, .peerClosed, .hangUp]))
  }

  @Test func `the peer of a pair is ourselves`() throws {
    let pair = try UnixStream.pair()

    let peer = try pair.first.peer()

    #expect(peer.uid == Environment.uid)
    #expect(peer.pid > 0)
  }

  @Test func `a path too long for an address is refused, not cut`() {
    let path = "/" + String(repeating: "a", count: 107)

    #expect(throws: Errno.nameTooLong) { _ = try UnixStream.connect(path: path) }
  }

  @Test func `connecting to nothing says so`() {
    #expect(throws: Errno.noSuchFile) { _ = try UnixStream.connect(path: "/nowhere/socket") }
  }
}
