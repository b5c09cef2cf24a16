// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// How much an entry matters, by syslog's numbers: the lower, the graver.
package enum LogLevel: Int, CaseIterable, Sendable {
  case error = 3
  case warning = 4
  case notice = 5
  case info = 6
  case debug = 7

  /// The word for it in the configuration and on the command line.
  package var name: String {
    switch self {
    case .error: "error"
    case .warning: "warning"
    case .notice: "notice"
    case .info: "info"
    case .debug: "debug"
    }
  }

  package init?(name: String) {
    guard let level = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = level
  }

  /// Whether an entry of this level is grave enough for a threshold.
  package func reaches(_ threshold: LogLevel) -> Bool { rawValue <= threshold.rawValue }
}
