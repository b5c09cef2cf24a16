// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yClient
package import A11yPosix
import A11yWire
package import Systemd

/// A link to the bus in the loop of a program, and the alarm for what the time brings.
package final class CompanionLink {
  package let link: BusLink
  private let watch: Watch
  private let alarm: Timer

  /// Calls `onTurn` when the bus has sent something, and when it is time.
  package init(
    _ link: BusLink,
    on loop: EventLoop,
    _ onTurn: @escaping () -> Void
  ) throws(Errno) {
    self.link = link
    watch = try link.watch(on: loop, onTurn)
    alarm = try Timer(on: .monotonic, priority: .normal, on: loop, onElapsed: onTurn)
  }

  /// Sets the alarm: for what the owner waits for, or for the link's next attempt.
  package func setAlarm(for due: Int64?) {
    let dues = [due.map { UInt64(clamping: $0) }, link.due].compactMap { $0 }
    if let due = dues.min() { alarm.arm(atMicroseconds: due) } else { alarm.disarm() }
  }
}

extension BusLink {
  /// Has a loop call `onReady` when the bus has sent something.
  package func watch(
    on loop: EventLoop,
    _ onReady: @escaping () -> Void
  ) throws(Errno) -> Watch {
    try Watch(
      descriptor.descriptor,
      ownedBy: descriptor,
      for: .readable,
      priority: .normal,
      on: loop
    ) { _ in onReady() }
  }
}

extension Introduction {
  /// The hello of a program around the bus: a reader, where it has a voice.
  package init(of program: String, app: String? = nil, voice: ReaderVoice? = nil) {
    self.init(
      app: app ?? program,
      client: "\(program) \(Protocol.release)",
      role: voice == nil ? nil : .reader,
      voice: voice,
      advice: false
    )
  }
}
