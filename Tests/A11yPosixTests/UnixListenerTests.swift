// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPosix
import A11yTestKit
import Testing

@Suite struct UnixListenerTests {
  private let directory: ScratchDirectory
  private let path: String

  init() throws {
    directory = try ScratchDirectory()
    path = directory("a11yd/bus")
  }

  @Test func `the socket and its directory are for us alone`() throws {
    let listener = try UnixListener(path: path, mode: 0o600)

    #expect(try directory.mode("a11yd") == 0o700)
    #expect(try directory.mode("a11yd/bus") == 0o600)
    withExtendedLifetime(listener) {}
  }

  @Test(arguments: [0o600, 0o660, 0o666] as [UInt32])
  func `the socket has the rights that were asked for, whatever the umask`(mode: UInt32) throws {
    let listener = try UnixListener(path: path, mode: mode)

    #expect(try directory.mode("a11yd/bus") == mode)
    withExtendedLifetime(listener) {}
  }

  @Test func `a connection is accepted and talks`() throws {
    let listener = try UnixListener(path: path, mode: 0o600)
    let client = try UnixStream.connect(path: path)
    var bytes: [UInt8] = [0, 0]

    let server = try connection(listener.accept())
    let sent = client.send([1, 2].span)
    let got = bytes.withUnsafeMutableBytes { server.receive(into: $0) }

    #expect(sent == .sent(2))
    #expect(got == .bytes(2))
  }

  @Test func `without a client there is none`() throws {
    let listener = try UnixListener(path: path, mode: 0o600)

    #expect(throws: NoConnection.none) { _ = try connection(listener.accept()) }
  }

  @Test func `a stale socket file is replaced`() throws {
    try leaveStaleSocket()

    let listener = try UnixListener(path: path, mode: 0o600)
    let client = try UnixStream.connect(path: path)

    _ = try connection(listener.accept())
    withExtendedLifetime(client.number) {}
  }

  @Test func `a live socket is left to its owner`() throws {
    let owner = try UnixListener(path: path, mode: 0o600)

    #expect(throws: Errno.addressInUse) { _ = try UnixListener(path: path, mode: 0o600) }
    _ = try UnixStream.connect(path: path)
    withExtendedLifetime(owner) {}
  }

  @Test func `a live socket whose backlog is full is still live`() throws {
    let owner = try UnixListener(path: path, mode: 0o600, backlog: 0)
    let waiting = try UnixStream.connect(path: path)

    #expect(throws: Errno.addressInUse) { _ = try UnixListener(path: path, mode: 0o600) }
    withExtendedLifetime((owner, waiting.number)) {}
  }

  @Test func `a file that is no socket is not removed`() throws {
    try Directory.create(directory("a11yd"), mode: 0o700)
    _ = try FileDescriptor.open(path, [.writeOnly, .create])

    #expect(throws: Errno.fileExists) { _ = try UnixListener(path: path, mode: 0o600) }
    #expect(try Directory.names(directory("a11yd")) == ["bus"])
  }

  @Test func `the file goes with the listener that made it`() throws {
    var listener: UnixListener? = try UnixListener(path: path, mode: 0o600)
    withExtendedLifetime(listener) {}

    listener = nil

    #expect(try Directory.names(directory("a11yd")) == [])
  }

  @Test func `a file that somebody else has put in place of ours stays`() throws {
    let listener = try UnixListener(path: path, mode: 0o600)
    try File.unlink(path)
    let successor = try UnixListener(path: path, mode: 0o600)

    listener.withdraw()

    _ = try UnixStream.connect(path: path)
    withExtendedLifetime(successor) {}
  }

  @Test func `an inherited socket is served and never removed`() throws {
    let manager = try UnixListener(path: path, mode: 0o600)
    let copy = try #require(duplicate(manager.descriptor.number))

    var heir: UnixListener? = try UnixListener(adopting: FileDescriptor(adopting: copy))
    let client = try UnixStream.connect(path: path)
    let inherited = try #require(heir)
    _ = try connection(inherited.accept())
    heir = nil

    #expect(try Directory.names(directory("a11yd")) == ["bus"])
    withExtendedLifetime(client.number) {}
  }

  @Test func `a path too long for an address is refused`() throws {
    let long = directory(String(repeating: "a", count: 108))

    #expect(throws: Errno.nameTooLong) { _ = try UnixListener(path: long, mode: 0o600) }
  }

  @Test func `a missing runtime directory is not made up`() throws {
    let far = directory("missing/a11yd/bus")

    #expect(throws: Errno.noSuchFile) { _ = try UnixListener(path: far, mode: 0o600) }
  }

  private func leaveStaleSocket() throws {
    let listener = try UnixListener(path: path, mode: 0o600)
    try File.rename(path, to: directory("kept"))
    listener.withdraw()
    try File.rename(directory("kept"), to: path)
  }
}

private enum NoConnection: Error, Equatable {
  case none
  case exhausted(Errno)
  case failed(Errno)
}

private func connection(
  _ accepted: consuming UnixListener.Accepted
) throws(NoConnection) -> FileDescriptor {
  switch consume accepted {
  case .connection(let descriptor): return descriptor
  case .none: throw .none
  case .exhausted(let error): throw .exhausted(error)
  case .failed(let error): throw .failed(error)
  }
}
