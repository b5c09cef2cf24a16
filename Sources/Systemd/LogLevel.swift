// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// How much an entry matters, by syslog's numbers: the lower, the graver.
package enum LogLevel: Int, CaseIterable, Sendable {
  case error = 3
  case warning = 4
  case notice = 5
  case info = 6
  case debug = 7

  /// The word for it in configuration files, as `journalctl -p` has it.
  package init?(name: String) {
    switch name {
    case "err": self = .error
    case "warning": self = .warning
    case "notice": self = .notice
    case "info": self = .info
    case "debug": self = .debug
    default: return nil
    }
  }

  /// Whether an entry of this level is grave enough for a threshold.
  package func reaches(_ threshold: LogLevel) -> Bool { rawValue <= threshold.rawValue }
}
