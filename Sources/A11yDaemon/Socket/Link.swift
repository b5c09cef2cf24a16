// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yLog
package import A11yPosix
import A11yWire

/// A client's end of the conversation, as the bus uses it: nothing here ever waits.
///
/// Behind it is a socket of the kernel's or, in the simulator, a client whose moods a seed commands.
/// It closes with its last holder.
package protocol Link: AnyObject {
  /// Takes what has come; `buffer` is not empty.
  func receive(into buffer: UnsafeMutableRawBufferPointer) -> UnixStream.Received

  /// Gives what is taken of these bytes.
  func send(_ bytes: Span<UInt8>) -> UnixStream.Sent

  /// Gives what is taken of a piece of a file and says how much; 0 is the file's end, and where
  /// nothing is taken for now it throws `wouldBlock`.
  func send(from file: any DiskFile, at offset: Int64, count: Int) throws(Errno) -> Int

  /// Wants to be served under this token as soon as it is ready for any of this, and again as long
  /// as it is; a word replaces the one before. Hanging up is told whether asked for or not.
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
    try piece.append(room: room) { target throws(Errno) in
      try file.read(into: target, at: offset)
    }
    if piece.isEmpty { return 0 }
    switch send(piece.bytes) {
    case .sent(let count): return count
    case .wouldBlock: throw .wouldBlock
    case .failed(let error): throw error
    }
  }
}
