// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
import CSystemd

/// The loop's interest in a descriptor that somebody else owns.
///
/// The owner is kept alive as long as the interest, and let go after it: the kernel forgets the
/// descriptor before anybody can close it and its number be reused under the loop's eyes.
package final class Watch {
  private let onReady: (Readiness) -> Void
  private var source: EventSource?
  private let owner: AnyObject

  package init(
    _ descriptor: borrowing FileDescriptor,
    ownedBy owner: AnyObject,
    for interest: Readiness,
    priority: EventPriority,
    on loop: EventLoop,
    onReady: @escaping (Readiness) -> Void
  ) throws(Errno) {
    self.onReady = onReady
    self.owner = owner
    source = nil

    var made: OpaquePointer?
    let context = Unmanaged.passUnretained(self).toOpaque()
    try Errno.check(
      sd_event_add_io(
        loop.handle,
        &made,
        descriptor.number,
        interest.rawValue,
        watchIsReady,
        context
      )
    )
    source = try EventSource(made, priority: priority)
  }

  deinit { source = nil }

  /// Ceases to call, for instance while there is nothing to accept connections with.
  package func pause() { source?.enable(.off) }

  package func resume() { source?.enable(.on) }

  fileprivate func ready(_ readiness: Readiness) { onReady(readiness) }
}

@c private func watchIsReady(
  _ source: OpaquePointer?,
  _ descriptor: Int32,
  _ readiness: UInt32,
  _ context: UnsafeMutableRawPointer?
) -> Int32 {
  guard let context else { return 0 }
  Unmanaged<Watch>.fromOpaque(context).takeUnretainedValue()
    .ready(Readiness(rawValue: readiness))
  return 0
}
