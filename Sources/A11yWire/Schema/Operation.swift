// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The operations that a request can name.
public enum Operation: String, Sendable, CaseIterable {
  case hello, publish, subscribe, unsubscribe, state, explain, rules, forget, ping, stats, describe

  /// The operation that `name` spells.
  public init?(_ name: Span<UInt8>) {
    if name.equals("publish") {
      self = .publish
      return
    }
    self.init(rawValue: name.string)
  }

  var isForPublishers: Bool {
    switch self {
    case .hello, .ping, .describe, .publish, .subscribe, .unsubscribe, .explain: true
    case .state, .rules, .forget, .stats: false
    }
  }
}
