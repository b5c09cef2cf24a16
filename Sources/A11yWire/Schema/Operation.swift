// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The operations that a request can name.
public enum Operation: String, Sendable, CaseIterable {
  case hello, publish, subscribe, unsubscribe, state, explain, rules, reload, forget, ping, stats
  case describe

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
    case .state, .rules, .reload, .forget, .stats: false
    }
  }

  /// The purpose of the operation in a sentence.
  public var summary: StaticString {
    switch self {
    case .hello: "Introduces the client; optional, once, and before any other request."
    case .publish: "Publishes an event."
    case .subscribe: "Has the bus send entries of the log, from any place in it."
    case .unsubscribe: "Ends the subscription of the connection."
    case .state:
      "Asks for focus, windows, reader and pending events, now or after an earlier entry."
    case .explain: "Asks what became of an entry, and why."
    case .rules: "Asks for the rules that are in force."
    case .reload: "Has the bus read its configuration and rules again, and is answered when it has."
    case .forget: "Takes the content of entries out of the log for good."
    case .ping: "Asks for the last seq; earlier events of the connection have theirs by then."
    case .stats: "Asks for counters and gauges of the bus."
    case .describe: "Asks for these schemas."
    }
  }
}
