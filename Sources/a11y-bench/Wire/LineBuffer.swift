// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Cuts the bytes of sockets into lines.
///
/// One buffer serves all sockets of a load, so that it stays in the processor's cache; each
/// connection keeps nothing but the beginning of an unfinished line.
final class LineBuffer {
  /// Room for the longest line of the protocol, which is also a good size for a read.
  private static let capacity = 256 * 1024

  private let space = UnsafeMutableRawBufferPointer.allocate(
    byteCount: LineBuffer.capacity,
    alignment: 64
  )

  deinit { space.deallocate() }

  /// Reads once and calls `body` with each whole line, its newline included.
  ///
  /// The answer is false when the other side has closed.
  @inline(__always)
  func read(
    from socket: borrowing Socket,
    rest: inout [UInt8],
    _ body: (UnsafeRawBufferPointer) throws(BenchFailure) -> Void
  ) throws(BenchFailure) -> Bool {
    space.copyBytes(from: rest)
    let old = rest.count
    let reading = try socket.receiveBytes(
      into: UnsafeMutableRawBufferPointer(rebasing: space[old...])
    )
    guard case .bytes(let count) = reading else {
      if case .ended = reading { return false }
      return true
    }

    var start = 0
    var seek = old
    let end = old + count
    while let newline = find(newlineFrom: seek, to: end) {
      try body(UnsafeRawBufferPointer(rebasing: space[start...newline]))
      start = newline + 1
      seek = start
    }
    guard start > 0 || end < space.count else {
      throw BenchFailure("a line of more than \(space.count) bytes arrived")
    }
    rest.removeAll(keepingCapacity: true)
    rest.append(contentsOf: space[start..<end])
    return true
  }

  @inline(__always)
  private func find(newlineFrom start: Int, to end: Int) -> Int? {
    guard let base = space.baseAddress,
      let hit = memchr(base + start, 0x0A, end - start)
    else { return nil }
    return hit - base
  }
}
