// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// One line of the log: an event, with its time and its sender.
public struct Entry: Hashable, Sendable {
  /// The entry's number: dense, from 1.
  public let seq: Int64
  /// The time of its arrival, in microseconds since 1970, by a clock that people may set.
  public let time: Int64
  /// The time of its arrival, in microseconds by the bus's own clock, which never goes back.
  public let mono: Int64
  /// The app that sent it, by its own account; `a11yd` is the bus itself.
  public let app: String
  /// The user of the sender.
  public let uid: UInt32
  /// The connection of the sender; 0 for the bus itself.
  public let conn: Int64
  /// The event's fields.
  public let event: JSONValue
  /// The whole line as it is in the log, without its newline.
  public let line: String
  /// The place right behind this entry.
  public internal(set) var cursor: LogCursor

  /// The event's type as it stands on the wire.
  public var type: String { event["type"]?.string ?? "" }

  /// The words of the event, if it has any.
  public var text: String? { event["text"].flatMap { SpeechText($0) }?.text }

  /// A field of the event that is a text.
  public func string(_ name: String) -> String? { event[name]?.string }

  /// A field of the event that is an integer.
  public func integer(_ name: String) -> Int64? { event[name]?.integer }

  /// A field of the event that is true or false.
  public func flag(_ name: String) -> Bool? { event[name]?.flag }
}

extension Entry {
  /// Copies an entry out of a parsed line, which does not name the epoch of its seq.
  package init(_ seq: Int64, _ document: borrowing JSONDocument) throws(ClientError) {
    let view = EntryView(of: document)
    guard let event = view.event else { throw .malformed(document.text.string) }
    self.seq = seq
    time = view.time ?? 0
    mono = view.mono ?? 0
    app = view.app ?? ""
    uid = UInt32(clamping: view.uid ?? 0)
    conn = view.conn ?? 0
    self.event = JSONValue(document, event)
    line = document.text.string
    cursor = LogCursor(epoch: "", seq: seq)
  }
}

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

  /// The runs with these words in the place of a value that is not said aloud.
  package func runs(masked words: String?) -> [SpeechText.Run] {
    var runs = speech.runs
    if let words, let place = hiddenRuns.first { runs.insert(SpeechText.Run(words), at: place) }
    return runs
  }

  /// The places of a value among all runs of its secret, of which it may be several.
  package func hiddenPlaces(in secret: SpeechText) -> Range<Int> {
    let first = hiddenRuns.first ?? 0
    return first..<max(first, first + secret.runs.count - speech.runs.count)
  }
}

/// A delivery whose hidden words come with the next line, or never.
package struct HiddenDelivery: Equatable, Sendable {
  package let delivery: DeliveryEntry
  /// The end of the wait for them.
  package let until: Int64

  /// The longest wait, for the bus gives the words at once or never.
  private static let breath: Int64 = 50_000

  package init(_ delivery: DeliveryEntry, at now: Int64) {
    self.delivery = delivery
    until = now + Self.breath
  }
}

extension HiddenDelivery? {
  /// The delivery, if it has this seq; nobody waits for its words any longer.
  package mutating func take(_ seq: Int64) -> DeliveryEntry? {
    guard let delivery = self?.delivery, delivery.seq == seq else { return nil }
    self = nil
    return delivery
  }

  /// The delivery, if its words have not come by now; nobody waits for them any longer.
  package mutating func takeLate(at now: Int64) -> DeliveryEntry? {
    guard let late = self, late.until <= now else { return nil }
    return take(late.delivery.seq)
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
