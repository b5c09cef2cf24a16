// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix

/// Wakes a thread that waits on descriptors.
///
/// A ring before the wait is heard as well: the byte stays in the socket until it is read.
package final class Bell: Sendable {
  /// The number of the ringing end, which is open as long as the bell lives.
  private let rope: Int32

  /// Makes a bell, and the end on which the thread hears it.
  package static func hang() throws(ClientError) -> Hung {
    do {
      let pair = try UnixStream.pair()
      return Hung(pair)
    } catch {
      throw .disconnected(reason: error.description)
    }
  }

  private init(rope: consuming FileDescriptor) { self.rope = rope.relinquish() }

  deinit { _ = FileDescriptor(adopting: rope) }

  /// Wakes the thread.
  ///
  /// A full socket swallows the ring, and wakes the thread all the same.
  package func ring() {
    let descriptor = FileDescriptor(adopting: rope)
    _ = descriptor.send([1].span)
    _ = descriptor.relinquish()
  }

  /// Both ends, each for an owner of its own.
  package struct Hung: ~Copyable {
    package let bell: Bell
    let ear: FileDescriptor

    fileprivate init(_ pair: consuming UnixStream.Pair) {
      bell = Bell(rope: pair.first)
      ear = pair.second
    }

    /// The number of the hearing end, for the thread to adopt.
    package consuming func relinquishEar() -> Int32 { ear.relinquish() }
  }
}

extension FileDescriptor {
  /// Empties the socket, however often the bell has rung.
  package borrowing func hearBell() {
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { room in
      while case .bytes = receive(into: room) {}
    }
  }
}
