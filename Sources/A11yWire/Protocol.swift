// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Names and numbers by which the daemon introduces itself.
public enum Protocol {
  public static let version: Int64 = 1
  public static let release = "0.1.0"
  public static let server = "a11yd/\(release)"
  /// The longest time after `written` within which a loss of power can still lose an event.
  public static let longestLossMilliseconds: Int64 = 1_000
  public static let features = [
    "publish", "subscribe", "filter", "dedupe", "forget", "state", "rules", "explain", "reload",
  ]
}
