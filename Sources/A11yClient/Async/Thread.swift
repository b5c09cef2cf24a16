// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

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
