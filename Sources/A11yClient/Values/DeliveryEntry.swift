// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// A text that the bus gives to readers: a `deliver` entry.
///
/// The reader in `to` speaks the text, and reports that it has started, and that it has finished or
/// was interrupted; other readers may show it.
public struct DeliveryEntry: Hashable, Sendable {
  /// The number, by which reports and orders of silence name the delivery.
  public let seq: Int64
  /// The events that it speaks for.
  public let of: [Int64]
  /// The connection of the reader that is to speak.
  public let to: Int64?
  /// The words to speak, without hidden texts.
  public let speech: SpeechText
  /// The rough number of characters of a hidden text, which a mark `secret` brings to live readers.
  public let hidden: String?
  /// The places of the hidden texts among the runs of `deliver` and of its mark `secret`.
  package let hiddenRuns: [Int]
  /// The app that it speaks for.
  public let app: String?
  /// The importance: `low`, `default` or `high`.
  public let priority: String
  /// The delivery that it cuts off; 0 for the user's own reading.
  public let interrupts: Int64?
  /// Whether other deliveries may cut it off.
  public let isInterruptible: Bool
  /// A sound that comes before the words: `screen`, `boundary`, `no-action` or `sound`.
  public let earcon: String?
  /// The time since its event, where that is long.
  public let late: Duration?
  /// Whether it was cut off, and is delivered once more.
  public let isAgain: Bool
  /// Whether the text was too long, and is only the beginning.
  public let isTruncated: Bool
  /// Whether the page is still the one before.
  public let isBoundary: Bool

  /// Reads a `deliver` entry; nil for any other.
  public init?(_ entry: Entry) {
    guard entry.type == "deliver", entry.conn == 0 else { return nil }
    seq = entry.seq
    of = entry.event["of"]?.list?.compactMap(\.integer) ?? []
    to = entry.integer("to")
    let runs = entry.event["speak"]?.list ?? []
    speech = SpeechText(runs: runs.compactMap { SpeechText.Run($0) })
    hidden = runs.lazy.compactMap { $0["redacted"]?.string }.first
    hiddenRuns = runs.indices.filter { runs[$0]["redacted"] != nil }
    app = entry.string("app")
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

/// The end of an event: an `outcome` entry.
public struct OutcomeEntry: Hashable, Sendable {
  /// The event.
  public let of: Int64
  /// `heard`, `interrupted`, `coalesced`, `duplicate`, `superseded`, `inhibited`, `summarised`,
  /// `expired`, `denied`, `undeliverable`, `cancelled`; of gestures `handled` or `unhandled`.
  public let result: String
  /// The event that brought the end about, if one did.
  public let by: Int64?
  /// The name of the deciding rule.
  public let rule: String
  /// The numbers behind the decision.
  public let why: JSONValue

  /// Whether the user has heard the event to its end, or an app has handled it.
  public var isHeard: Bool { result == "heard" || result == "handled" }

  /// Reads an `outcome` entry; nil for any other.
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
  /// The delivery to stop.
  public let of: Int64?
  /// The event that asks for silence.
  public let by: Int64?
  /// Whether speech goes on later.
  public let isHold: Bool

  /// Reads a `silence` entry; nil for any other.
  public init?(_ entry: Entry) {
    guard entry.type == "silence", entry.conn == 0 else { return nil }
    of = entry.integer("of")
    by = entry.integer("by")
    isHold = entry.flag("hold") ?? false
  }
}

extension Entry {
  /// The delivery, if this is one.
  public var delivery: DeliveryEntry? { DeliveryEntry(self) }

  /// The outcome, if this is one.
  public var outcome: OutcomeEntry? { OutcomeEntry(self) }

  /// The order of silence, if this is one.
  public var silence: SilenceEntry? { SilenceEntry(self) }
}
