// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yLog
import A11yPosix
import A11yWire

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
