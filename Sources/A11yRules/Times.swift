// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// Times in rules, in microseconds.
public enum Times {
  /// A day: as long as an event may wait for its turn at all.
  public static let longest: Int64 = 86_400_000_000

  static func milliseconds(_ count: Int64) -> Int64 { count * 1_000 }

  static func seconds(_ count: Int64) -> Int64 { count * 1_000_000 }
}
