// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The condition of the forwarder, as a sentence for the operator.
package enum ForwardCondition: Equatable, Sendable {
  /// Nothing may leave the machine.
  case idle
  /// No engine is named.
  case homeless
  case connecting
  case busAway(path: String, reason: String)
  case engineAway(EngineAddress, reason: String)
  /// The words tell which part of the log is sent.
  case forwarding(EngineAddress, MachineName, String, Lag)

  /// The entries of the log that the engine has not got yet.
  package struct Lag: Equatable, Sendable {
    package var entries: Int64
    package var seconds: Int64

    package init(entries: Int64, seconds: Int64) {
      self.entries = entries
      self.seconds = seconds
    }
  }

  /// Whether something that should be there is not.
  package var isWait: Bool {
    switch self {
    case .busAway, .engineAway: true
    case .idle, .homeless, .connecting, .forwarding: false
    }
  }

  /// The sentence without numbers that change all the time.
  package var kind: String {
    switch self {
    case .forwarding(let engine, let name, let choice, _):
      "sending the log to \(engine) as \(name.text)\(choice)"
    default: sentence
    }
  }

  package var sentence: String {
    switch self {
    case .idle:
      "idle: nothing leaves this machine without --all, --without-texts or a file of settings"
    case .homeless: "idle: no engine is named, by --to or in a file of settings"
    case .connecting: "connecting"
    case .busAway(let path, let reason): "waiting for the bus at \(path): \(reason)"
    case .engineAway(let engine, let reason): "waiting for the engine at \(engine): \(reason)"
    case .forwarding(_, _, _, let lag):
      "\(kind); \(Self.counted(lag.entries, "entry", "entries")) and "
        + "\(Self.counted(lag.seconds, "second", "seconds")) behind"
    }
  }

  private static func counted(_ number: Int64, _ one: String, _ many: String) -> String {
    "\(number) \(number == 1 ? one : many)"
  }
}

/// The condition of the sending, as it is told to the operator.
///
/// A wait is told even if it is over before the loop comes to look.
package struct ConditionNews: Sendable {
  private var current = ForwardCondition.connecting
  /// The newest wait that was over before it was taken.
  private var passed: ForwardCondition?
  private var isTaken = false

  package init() {}

  /// Takes a condition over; true where it is of another kind than the last one.
  package mutating func enter(_ condition: ForwardCondition) -> Bool {
    let last = current
    current = condition
    guard last.kind != condition.kind else { return false }
    if !isTaken, last.isWait { passed = last }
    isTaken = false
    return true
  }

  /// The conditions to tell, in their order; the last one is there each time.
  package mutating func collect() -> [ForwardCondition] {
    defer { (passed, isTaken) = (nil, true) }
    return [passed, current].compactMap { $0 }
  }
}
