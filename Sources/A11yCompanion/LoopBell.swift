// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yClient
import A11yPosix
import Synchronization
package import Systemd

/// A bell that a thread rings, and a loop hears.
package final class LoopBell {
  package let bell: Bell
  private let ear: Ear
  private var watch: Watch?

  /// A descriptor that can be handed to a watch.
  private final class Ear {
    let descriptor: FileDescriptor

    init(_ number: Int32) { descriptor = FileDescriptor(adopting: number) }
  }

  package init() throws {
    let hung = try Bell.hang()
    bell = hung.bell
    ear = Ear(hung.relinquishEar())
  }

  /// Has the loop do something after each ring.
  package func listen(on loop: EventLoop, onRing: @escaping () -> Void) throws {
    let ear = ear
    watch = try Watch(
      ear.descriptor,
      ownedBy: ear,
      for: .readable,
      priority: .normal,
      on: loop
    ) { _ in
      ear.descriptor.hearBell()
      onRing()
    }
  }
}

/// The one place that a loop and a thread beside it share.
///
/// Each side leaves the newest state for the other and rings: there is no queue that could grow.
package final class ThreadMailbox<Contents: Sendable>: Sendable {
  private let contents: Mutex<Contents>
  private let loopBell: Bell
  private let threadBell: Bell

  package init(_ contents: Contents, loopBell: Bell, threadBell: Bell) {
    self.contents = Mutex(contents)
    self.loopBell = loopBell
    self.threadBell = threadBell
  }

  /// Takes something out, or changes what the other side need not be told at once.
  package func use<Result: Sendable>(_ body: (inout Contents) -> Result) -> Result {
    contents.withLock { body(&$0) }
  }

  package func tellLoop(_ change: (inout Contents) -> Void) {
    use(change)
    loopBell.ring()
  }

  package func tellThread(_ change: (inout Contents) -> Void) {
    use(change)
    threadBell.ring()
  }
}
