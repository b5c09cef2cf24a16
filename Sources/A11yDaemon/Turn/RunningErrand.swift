// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yBroker
import A11yLog

/// An errand that the log runs for a connection, a slice between turns.
struct RunningErrand {
  enum Work {
    /// Working out what was the case at an earlier entry.
    case past(PastState<BrokerState>, for: Inquiry)
    /// Finding out what became of an entry.
    case explaining(Explaining)
    /// Taking entries out.
    case forgetting(Forgetting<BrokerState>, id: [UInt8])
  }

  let connection: ClientConnection
  let work: Work
}
