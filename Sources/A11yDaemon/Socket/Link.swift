// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yLog
package import A11yPosix
import A11yWire

/// A client's end of the conversation, as the bus uses it: nothing here ever waits.
///
/// Behind it is a socket of the kernel's or, in the simulator, a client whose moods a seed
/// commands. The link closes with its last holder.
package protocol Link: AnyObject {
  /// Takes the bytes that have come; `buffer` is not empty.
  func receive(into buffer: UnsafeMutableRawBufferPointer) -> UnixStream.Received

  /// Sends as many of these bytes as the other end takes.
  func send(_ bytes: Span<UInt8>) -> UnixStream.Sent

  /// Sends as much of a piece of a file as the other end takes and says how much; 0 is the file's
  /// end, and where nothing is taken for now it throws `wouldBlock`.
  func send(from file: any DiskFile, at offset: Int64, count: Int) throws(Errno) -> Int

  /// Has the bus serve this link under `token` whenever it is ready for any of `interest`; a call
  /// replaces the one before. Hanging up is told whether asked for or not.
  func watch(for interest: Readiness, as token: UInt64) throws(Errno)
}

extension Link {
  /// Gives a piece of a file through memory, for files or links that the kernel does not know.
  package func sendCopy(
    from file: any DiskFile,
    at offset: Int64,
    count: Int
  ) throws(Errno) -> Int {
    let room = min(count, 65_536)
    var piece = ByteBuffer(capacity: room)
    guard try file.read(into: &piece, at: offset, room: room) > 0 else { return 0 }
    switch send(piece.bytes) {
    case .sent(let count): return count
    case .wouldBlock: throw .wouldBlock
    case .failed(let error): throw error
    }
  }
}

/// A client's socket, watched by the kernel.
final class SocketLink: Link {
  private let descriptor: FileDescriptor
  private let poll: Poll
  private var isWatched = false

  init(_ descriptor: consuming FileDescriptor, watchedBy poll: Poll) {
    self.descriptor = descriptor
    self.poll = poll
  }

  // Closing ends the watching only if nobody else holds the socket open.
  deinit { if isWatched { try? poll.remove(descriptor) } }

  func receive(into buffer: UnsafeMutableRawBufferPointer) -> UnixStream.Received {
    descriptor.receive(into: buffer)
  }

  func send(_ bytes: Span<UInt8>) -> UnixStream.Sent { descriptor.send(bytes) }

  func send(from file: any DiskFile, at offset: Int64, count: Int) throws(Errno) -> Int {
    guard let number = file.number else {
      return try sendCopy(from: file, at: offset, count: count)
    }
    return try descriptor.send(fileNumber: number, from: offset, count: count)
  }

  func watch(for interest: Readiness, as token: UInt64) throws(Errno) {
    if isWatched {
      try poll.change(descriptor, token: token, interest: interest)
    } else {
      try poll.add(descriptor, token: token, interest: interest)
      isWatched = true
    }
  }
}

/// A connection that is ready, and the readiness that it has.
package struct Ready: Equatable, Sendable {
  /// The bus's name for the connection, see `Link.watch`.
  package let token: UInt64
  package let readiness: Readiness

  package init(token: UInt64, readiness: Readiness) {
    self.token = token
    self.readiness = readiness
  }
}
