// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// How much the daemon tells about itself, in the words and numbers of syslog.
package enum LogLevel: String, CaseIterable, Sendable {
  case error
  case warning
  case notice
  case info
  case debug

  /// The number that the journal and `<N>` prefixes use; lower is more severe.
  package var priority: Int {
    switch self {
    case .error: 3
    case .warning: 4
    case .notice: 5
    case .info: 6
    case .debug: 7
    }
  }
}
