// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// What the bus gives to readers to speak: a `deliver` entry.
///
/// The reader that it is for speaks it and reports that it has started, and that it has finished or
/// was interrupted; the others may show it.
public struct DeliveryEntry: Hashable, Sendable {
  /// The number by which reports and orders to be silent name it.
  public let seq: Int64
  /// The events that it speaks for.
  public let of: [Int64]
  /// The connection of the reader that is to speak.
  public let to: Int64?
  /// What is to be spoken; of hidden texts nothing is in it.
  public let speech: SpeechText
  /// How many characters a hidden text has, roughly: a mark `secret` brings the text itself to
  /// readers that are live.
  public let hidden: String?
  /// How much it matters: `low`, `default` or `high`.
  public let priority: String
  /// What it cuts off: another delivery, or with 0 the user's own reading.
  public let interrupts: Int64?
  /// Whether others may cut it off.
  public let isInterruptible: Bool
  /// A sound that comes before the words: `screen`, `boundary`, `no-action` or `sound`.
  public let earcon: String?
  /// How long after its event it comes, where that is long.
  public let late: Duration?
  /// It was cut off, and is offered once more.
  public let isAgain: Bool
  /// The text was too long, and goes on.
  public let isTruncated: Bool
  /// It is the same page as before.
  public let isBoundary: Bool

  /// Reads it off a `deliver` entry; nil for any other.
  public init?(_ entry: Entry) {
    guard entry.type == "deliver", entry.conn == 0 else { return nil }
    seq = entry.seq
    of = entry.event["of"]?.list?.compactMap(\.integer) ?? []
    to = entry.integer("to")
    let runs = entry.event["speak"]?.list ?? []
    speech = SpeechText(runs: runs.compactMap { SpeechText.Run($0) })
    hidden = runs.lazy.compactMap { $0["redacted"]?.string }.first
    priority = entry.string("priority") ?? "default"
    interrupts = entry.integer("interrupts")
    isInterruptible = entry.flag("interruptible") ?? false
    earcon = entry.string("earcon")
    late = entry.integer("late_ms").map { .milliseconds($0) }
    isAgain = entry.flag("again") ?? false
    isTruncated = entry.flag("truncated") ?? false
    isBoundary = entry.flag("boundary") ?? false
  }
}

/// How an event has ended: an `outcome` entry.
public struct OutcomeEntry: Hashable, Sendable {
  /// The event.
  public let of: Int64
  /// `heard`, `interrupted`, `coalesced`, `duplicate`, `superseded`, `inhibited`, `summarised`,
  /// `expired`, `denied`, `undeliverable`, `cancelled`; of gestures `handled` or `unhandled`.
  public let result: String
  /// The event that has brought it about, if one has.
  public let by: Int64?
  /// The name of the rule that has decided.
  public let rule: String
  /// The numbers that applied.
  public let why: JSONValue

  /// Whether the user has heard it to its end, or had it done.
  public var isHeard: Bool { result == "heard" || result == "handled" }

  /// Reads it off an `outcome` entry; nil for any other.
  public init?(_ entry: Entry) {
    guard entry.type == "outcome", entry.conn == 0, let of = entry.integer("of"),
      let result = entry.string("result")
    else { return nil }
    self.of = of
    self.result = result
    by = entry.integer("by")
    rule = entry.string("rule") ?? ""
    why = entry.event["why"] ?? .object([])
  }
}

/// The bus's order to be silent at once: a `silence` entry.
public struct SilenceEntry: Hashable, Sendable {
  /// The delivery that is not to be spoken any further.
  public let of: Int64?
  /// The event that asks for it.
  public let by: Int64?
  /// Whether speech goes on later.
  public let isHold: Bool

  /// Reads it off a `silence` entry; nil for any other.
  public init?(_ entry: Entry) {
    guard entry.type == "silence", entry.conn == 0 else { return nil }
    of = entry.integer("of")
    by = entry.integer("by")
    isHold = entry.flag("hold") ?? false
  }
}

extension Entry {
  /// What it gives to readers, if it does.
  public var delivery: DeliveryEntry? { DeliveryEntry(self) }

  /// How an event has ended, if it says so.
  public var outcome: OutcomeEntry? { OutcomeEntry(self) }

  /// Its order to be silent, if it is one.
  public var silence: SilenceEntry? { SilenceEntry(self) }
}
