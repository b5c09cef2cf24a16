// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yClient
import A11yPosix
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
