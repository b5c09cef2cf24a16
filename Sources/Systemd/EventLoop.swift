// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPosix
import CSystemd

/// The one loop of the process: it sleeps until a registered source is ready, and calls its owner.
///
/// Of the sources that are ready the one with the lowest priority value goes first, one at a time.
/// A registration keeps the loop alive, not the other way round: a watch, timer or signal ends with
/// the object that stands for it.
package final class EventLoop {
  /// The loop for libsystemd's own functions.
  package let handle: OpaquePointer

  package init() throws(Errno) {
    var made: OpaquePointer?
    try Errno.check(sd_event_new(&made))
    guard let made else { throw .noMemory }
    handle = made
  }

  deinit { sd_event_unref(handle) }

  /// Serves the registered sources until `exit`, and returns the code given there.
  package func run() throws(Errno) -> Int32 {
    try Errno.check(sd_event_loop(handle))
  }

  /// Ends `run` after the present callback.
  package func exit(_ code: Int32) {
    precondition(code >= 0, "a negative code would read as an error of the loop")
    let result = sd_event_exit(handle, code)
    precondition(result >= 0 || result == 0 - ESTALE, "a loop can be asked to end")
  }
}
