// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// What the bus says of itself.
package enum Protocol {
  package static let version: Int64 = 1
  package static let release = "0.1.0"
  package static let server = "a11yd/\(release)"
  /// How long after its acknowledgement a written event may still be lost with the power.
  package static let lossWindowMilliseconds: Int64 = 1_000
  package static let features = [
    "publish", "subscribe", "filter", "dedupe", "forget", "state", "rules", "explain",
  ]
}
