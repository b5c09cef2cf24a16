// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
internal import Glibc

/// Threads outside the pool of tasks: a task that waits on a socket would block one of the few
/// threads that all tasks of the process share.
package enum Thread {
  /// Ample for reading a line, which goes 32 levels deep at most.
  private static let stackBytes = 512 * 1_024

  /// Runs `body` on a new thread, which ends with it.
  package static func start(_ body: sending @escaping () -> Void) throws(ClientError) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, stackBytes)

    // Signals are the app's. A thread inherits the mask of its starter, so none of them ever runs
    // a handler here.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

    let context = Unmanaged.passRetained(Start(body)).toOpaque()
    var thread = pthread_t()
    let failure = pthread_create(&thread, &attributes, threadBegins, context)
    guard failure == 0 else {
      Unmanaged<Start>.fromOpaque(context).release()
      throw .disconnected(reason: "no thread could be started (error \(failure))")
    }
  }
}

/// The closure that a thread runs, boxed for the C call.
private final class Start {
  let body: () -> Void

  init(_ body: @escaping () -> Void) { self.body = body }
}

@c private func threadBegins(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  let start = Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
  start.body()
  return nil
}

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
