// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

/// The bounds of times in rules.
public enum Times {
  /// A day: as long as an event may wait for its turn at all.
  public static let longest = TimeSpan.minutes(24 * 60)
}
