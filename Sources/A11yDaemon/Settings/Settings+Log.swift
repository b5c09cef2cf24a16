// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yLog
import A11yPosix
import A11yWire

extension Settings.Log {
  /// The policy of the log that these settings ask for.
  package var policy: LogPolicy {
    LogPolicy(
      segmentBytes: Int64(segmentBytes.bytes),
      retainAge: retainAge.map { $0.components.seconds * 1_000_000 },
      retainBytes: retainBytes.map { Int64($0.bytes) },
      retainEntries: retainEntries.map(Int64.init)
    )
  }
}

extension Epoch {
  /// One that no other log has.
  static func random() -> Epoch {
    guard let epoch = Epoch(hex: Machine.randomHex128()) else {
      preconditionFailure("128 random bits are 32 hex digits")
    }
    return epoch
  }
}
