// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yPosix

/// Wakes a thread that waits on descriptors.
///
/// Rung before the thread waits, it is heard nevertheless: what was sent stays until it is read.
final class Bell: Sendable {
  /// The number of our end; it is open as long as the bell lives.
  private let rope: Int32

  /// A bell, and the end on which the thread hears it.
  static func hang() throws(ClientError) -> Hung {
    do {
      let pair = try UnixStream.pair()
      return Hung(pair)
    } catch {
      throw .disconnected(reason: error.description)
    }
  }

  private init(rope: consuming FileDescriptor) { self.rope = rope.relinquish() }

  deinit { _ = FileDescriptor(adopting: rope) }

  /// Wakes the thread; when it has not yet heard us many times over, once more changes nothing.
  func ring() {
    let descriptor = FileDescriptor(adopting: rope)
    _ = descriptor.send([1].span)
    _ = descriptor.relinquish()
  }

  /// Both ends, each to be taken by its owner.
  struct Hung: ~Copyable {
    let bell: Bell
    let ear: FileDescriptor

    fileprivate init(_ pair: consuming UnixStream.Pair) {
      bell = Bell(rope: pair.first)
      ear = pair.second
    }

    /// The number of the end on which the thread hears, for the thread to adopt.
    consuming func relinquishEar() -> Int32 { ear.relinquish() }
  }
}

extension FileDescriptor {
  /// Forgets how often the bell has rung.
  borrowing func hearBell() {
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { room in
      while case .bytes = receive(into: room) {}
    }
  }
}
