// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux

/// A listening Unix socket, made at a path or inherited from who started us.
///
/// A file left by a process that died refuses connections: it is replaced. One that accepts them
/// belongs to somebody, and binding there fails with `addressInUse`. Between the look and the
/// replacement two starting daemons could remove each other's fresh socket, therefore both happen
/// under a lock on the directory. The file is removed at the end only if we made it and it is still
/// the one we made; an inherited socket is never unlinked, since its owner keeps it for the next
/// start.
package final class UnixListener {
  package let descriptor: FileDescriptor
  /// The path at which it listens; nil for a socket that has none.
  package let path: String?
  private var made: FileIdentity?

  /// Listens at `path`, in a directory that is created for us alone where it is missing.
  package init(path: String, mode: UInt32, backlog: Int32 = 4096) throws(Errno) {
    let directory = Directory.parent(of: path)
    try Directory.createLast(directory, mode: 0o700)
    let lock = try FileDescriptor.open(directory, [.readOnly, .directory])
    try Errno.check(linux_lock(lock.number, 1))
    try UnixListener.clearStale(path)

    let listening = FileDescriptor(adopting: try Errno.check(linux_listen(path, mode, backlog)))
    descriptor = listening
    self.path = path
    made = try? FileIdentity(path: path)
  }

  /// Takes over a socket that already listens, which may be one of TCP, too.
  package init(adopting inherited: consuming FileDescriptor) throws(Errno) {
    try Errno.check(linux_set_nonblocking(inherited.number))
    var name = [CChar](repeating: 0, count: 109)
    let result = name.withUnsafeMutableBufferPointer { room in
      room.baseAddress.map { linux_socket_path(inherited.number, $0) } ?? -1
    }
    descriptor = inherited
    path = result == 0 && name[0] != 0 ? name.withUnsafeBufferPointer(Self.text) : nil
    made = nil
  }

  private static func text(_ name: UnsafeBufferPointer<CChar>) -> String {
    String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { withdraw() }

  /// Removes the file if it is ours; whoever is connected or waits in the backlog stays.
  package func withdraw() {
    guard let path, let made = made.take() else { return }
    guard let found = try? FileIdentity(path: path), found == made else { return }
    _ = linux_unlink(path)
  }

  /// Takes one waiting connection, non-blocking and close-on-exec.
  package func accept() -> Accepted {
    let result = linux_accept(descriptor.number)
    guard result < 0 else { return .connection(FileDescriptor(adopting: result)) }
    let error = Errno(rawValue: 0 - result)
    switch error {
    case .wouldBlock: return .none
    case .tooManyOpenFiles, .fileTableOverflow, .noBufferSpace, .noMemory:
      return .exhausted(error)
    default: return .failed(error)
    }
  }

  private static func clearStale(_ path: String) throws(Errno) {
    var status = linux_status()
    let looked = linux_status_of(path, &status)
    guard looked != 0 - Errno.noSuchFile.rawValue else { return }
    try Errno.check(looked)
    // connect(2) refuses a regular file too, and that one is not ours to remove.
    guard status.is_socket != 0 else { throw .fileExists }

    // Without waiting: a full backlog also shows that somebody is there.
    let probe = linux_connect(path, 1)
    if probe >= 0 { linux_close(probe) }
    guard probe == 0 - Errno.connectionRefused.rawValue else { throw .addressInUse }
    try Errno.check(linux_unlink(path))
  }
}

extension UnixListener {
  /// The outcome of looking for a connection.
  package enum Accepted: ~Copyable {
    case connection(FileDescriptor)
    case none
    /// Descriptors or memory are used up; the connection still waits, so pause before asking again.
    case exhausted(Errno)
    case failed(Errno)
  }
}
