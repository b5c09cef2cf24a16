// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// The decisions that are to be written down, the oldest first.
struct Decisions: Sendable {
  /// Ends of events that the log has not been found to have, though it should.
  private var missing: [Seq: Outcome] = [:]
  /// Those that were sent have left nothing behind.
  private var list: [Decision?] = []
  private var sent = 0
  /// The number of the last delivery, silence, gesture or item without an entry of its own.
  var tickets: Int64 = 0

  mutating func append(_ decision: Decision) { list.append(decision) }

  mutating func pop() -> Decision? {
    guard sent < list.count else { return nil }
    sent += 1
    if sent < list.count { return list[sent - 1].take() }
    let decision = list.removeLast()
    // Mostly it was one, and to take out what is left costs less than to empty an array of any
    // size.
    while !list.isEmpty { list.removeLast() }
    sent = 0
    return decision
  }

  var isEmpty: Bool { sent == list.count }

  var count: Int { list.count - sent }

  var movesFocus: Bool { list[sent...].contains { $0?.isFocus ?? false } }

  /// The decisions that nobody has taken yet, behind the ends that the log is missing.
  var unwritten: [Decision] {
    let ends = missing.values.sorted { $0.of < $1.of }.map { Decision.outcome($0) }
    return ends + list[sent...].compactMap(\.self)
  }

  /// Forgets decisions to speak that were never written: the readers that they were for are gone.
  mutating func dropSpeech() {
    list = unwritten.filter { decision in
      switch decision {
      case .deliver, .silence: false
      case .outcome, .focus, .gesture, .calm: true
      }
    }
    missing = [:]
    sent = 0
  }

  /// The log does not have an end; should it not come later either, the next start writes it down,
  /// for every event has an end.
  mutating func miss(_ outcome: Outcome) { missing[outcome.of] = outcome }

  mutating func find(_ seq: Seq) { missing[seq] = nil }

  mutating func forgetMissing(where isMeant: (Outcome) -> Bool) {
    missing = missing.filter { !isMeant($0.value) }
  }
}
