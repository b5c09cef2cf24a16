// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// What the bus says of itself.
public enum Protocol {
  public static let version: Int64 = 1
  public static let release = "0.1.0"
  public static let server = "a11yd/\(release)"
  /// How long after its acknowledgement a written event may still be lost with the power.
  public static let lossWindowMilliseconds: Int64 = 1_000
  public static let features = [
    "publish", "subscribe", "filter", "dedupe", "forget", "state", "rules", "explain",
  ]
}
