// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yWire

extension Bus {
  /// Whether some subscriber was left out of entries and has not heard how far it is.
  package var needsCheckpoint: Bool { desk.hasLeftOut }

  /// Tells subscribers that were left out of entries how far they are.
  package func checkpoint() {
    desk.hasLeftOut = false
    for connection in subscribers {
      guard let feed = connection.feed else { continue }
      feed.passOver(before: nil)
      guard feed.subscription.leftOut > 0 else { continue }
      guard feed.isAtEnd, !connection.isStalled else {
        desk.hasLeftOut = true
        continue
      }
      feed.subscription.place()
      desk.say(.checkpoint(desk.cursor(last)), to: connection)
      updateInterest(of: connection)
    }
    seeOff()
  }
}
