// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yWire

/// A request to be sent entries.
public struct SubscriptionRequest: Hashable, Sendable {
  /// The treatment of entries for which the subscriber is too slow.
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// Every entry comes, however late.
    case lossless
    /// Older entries of a kind give way to the newest; a mark tells how many.
    case latest
  }

  /// The beginning.
  public var from: StartingPoint
  /// The choice of entries.
  public var filter: EntryFilter
  /// The treatment of a slow subscriber.
  public var mode: Mode
  /// Whether the state of windows, focus and reader comes first.
  public var state: Bool
  /// Whether entries come only when the disk has confirmed them.
  public var durable: Bool

  /// Asks for all entries from a place on, unless told otherwise.
  public init(
    from: StartingPoint = .now,
    filter: EntryFilter = .everything,
    mode: Mode = .lossless,
    state: Bool = false,
    durable: Bool = false
  ) {
    self.from = from
    self.filter = filter
    self.mode = mode
    self.state = state
    self.durable = durable
  }

  /// The members of the request, without the bus's defaults.
  var fields: [JSONValue.Member] {
    var fields = [JSONValue.Member("from", .string(from.text))]
    if filter != .everything { fields.append(.init("filter", filter.json)) }
    if mode != .lossless { fields.append(.init("mode", .string(mode.rawValue))) }
    if state { fields.append(.init("state", true)) }
    if durable { fields.append(.init("durable", true)) }
    return fields
  }
}

/// The beginning of a subscription.
public enum StartingPoint: Hashable, Sendable {
  /// The next entry that comes.
  case now
  /// The oldest entry in the log.
  case start
  /// The entry behind this place.
  case cursor(LogCursor)

  var text: String {
    switch self {
    case .now: "now"
    case .start: "start"
    case .cursor(let cursor): cursor.description
    }
  }
}

/// A place in the log: right behind an entry.
///
/// An app that stores the cursor of the last entry it has dealt with can go on behind that entry
/// later, in another process or after a restart of the bus, without missing or repeating one. The
/// text of a cursor may be stored as it is.
public struct LogCursor: Hashable, Sendable, LosslessStringConvertible {
  /// The epoch of the numbering that `seq` belongs to, in hex.
  public let epoch: String
  /// The seq of the last entry before this place; 0 before the first.
  public let seq: Int64

  /// Reads a cursor from its text, `epoch:seq`; nil if the text is none.
  public init?(_ text: String) {
    guard let cursor = A11yWire.Cursor(text) else { return nil }
    self.init(epoch: cursor.epoch.hex, seq: cursor.seq.number)
  }

  init(epoch: String, seq: Int64) {
    self.epoch = epoch
    self.seq = seq
  }

  /// The cursor as it stands on the wire, `epoch:seq`.
  public var description: String { "\(epoch):\(seq)" }
}

/// The choice of entries that a subscription lets through.
///
/// A list that is nil lets everything through, an empty list nothing; an entry passes if it fits
/// all given lists. Entries that the bus writes about an event pass with that event.
public struct EntryFilter: Hashable, Sendable {
  /// Types of events, as they stand on the wire.
  public var types: [String]?
  /// Names of apps.
  public var apps: [String]?
  /// Windows, by their ids.
  public var windows: [String]?
  /// Elements, by their ids.
  public var elements: [String]?
  /// Priorities of announcements.
  public var priorities: [AnnouncementPriority]?

  /// Lets through the entries that fit all given lists.
  public init(
    types: [String]? = nil,
    apps: [String]? = nil,
    windows: [String]? = nil,
    elements: [String]? = nil,
    priorities: [AnnouncementPriority]? = nil
  ) {
    self.types = types
    self.apps = apps
    self.windows = windows
    self.elements = elements
    self.priorities = priorities
  }

  /// Lets everything through.
  public static let everything = EntryFilter()

  var json: JSONValue {
    let lists = [
      ("types", types), ("apps", apps), ("windows", windows), ("elements", elements),
      ("priorities", priorities.map { $0.map(\.rawValue) }),
    ]
    return .object(
      lists.compactMap { name, words in
        words.map { JSONValue.Member(name, .list($0.map(JSONValue.string))) }
      }
    )
  }
}

/// An entry or a mark of a subscription.
public enum SubscriptionItem: Hashable, Sendable {
  /// A line of the log.
  case entry(Entry)
  /// News of the subscription itself.
  case mark(SubscriptionMark)

  /// The place in the log behind this item, if it names one.
  public var cursor: LogCursor? {
    switch self {
    case .entry(let entry): entry.cursor
    case .mark(let mark): mark.cursor
    }
  }
}

/// News of a subscription itself, between entries.
public enum SubscriptionMark: Hashable, Sendable {
  /// Windows, focus, reader and what is pending, as they are right at the cursor.
  case state(JSONValue, at: LogCursor)
  /// From here on entries come as they happen.
  case caughtUp(LogCursor)
  /// No entry passes the filter up to here.
  case checkpoint(LogCursor)
  /// Entries, both ends included, that the log no longer has.
  case gap(from: Int64, to: Int64, reason: String)
  /// This many entries gave way to newer ones of their kind.
  case skipped(count: Int64)
  /// The secret text of a `deliver` entry, which is neither kept nor repeated. The kind is `value`
  /// for a secure element, `text` for a sensitive event; `masked` has the words for a value
  /// that is not said aloud.
  case secret(of: Int64, kind: String, speak: SpeechText, masked: String?)
  /// The name of the action in a `gesture` entry of one's own app, which is neither kept nor
  /// repeated.
  case secretName(of: Int64, String)
  /// The connection is lost; the subscription goes on by itself when the bus is back.
  case away(reason: String)
  /// The bus lost, in a crash, entries that this subscription had given, both ends included.
  ///
  /// The bus uses their seqs again; the entries that follow are on record.
  case withdrawn(from: Int64, to: Int64)
  /// A new epoch of the numbering begins here: the bus ended in such a way that it may have given
  /// out entries that it no longer has.
  case newEpoch(String)
  /// The bus has another log than the one of the cursor, with this epoch; its entries follow from
  /// its beginning.
  case anotherLog(epoch: String)
  /// A mark of a later version of the bus.
  case other(name: String, JSONValue)

  /// The place in the log that the mark names, if it does.
  public var cursor: LogCursor? {
    switch self {
    case .state(_, let cursor), .caughtUp(let cursor), .checkpoint(let cursor): cursor
    case .gap, .skipped, .secret, .secretName, .away, .withdrawn, .newEpoch, .anotherLog, .other:
      nil
    }
  }
}

extension SubscriptionMark {
  /// The mark for a place that the bus does not know.
  init(_ refusal: BusRefusal, at cursor: LogCursor) {
    if let last = refusal.last {
      self = .withdrawn(from: last + 1, to: cursor.seq)
    } else {
      self = .anotherLog(epoch: refusal.epoch ?? "")
    }
  }

  /// Copies a mark out of a parsed line.
  package init(_ document: borrowing JSONDocument) throws(ClientError) {
    let line = JSONValue(document, document.root)
    guard let name = line["mark"]?.string else { throw .malformed(line.description) }
    let cursor = line.cursor
    switch (name, cursor) {
    case ("state", let cursor?): self = .state(line["state"] ?? .null, at: cursor)
    case ("caught-up", let cursor?): self = .caughtUp(cursor)
    case ("checkpoint", let cursor?): self = .checkpoint(cursor)
    case ("gap", _):
      guard let from = line["from"]?.integer, let to = line["to"]?.integer else {
        throw .malformed(line.description)
      }
      self = .gap(from: from, to: to, reason: line["reason"]?.string ?? "unknown")
    case ("skipped", _): self = .skipped(count: line["count"]?.integer ?? 0)
    case ("secret", _) where line["kind"]?.string == "action":
      self = .secretName(of: line["of"]?.integer ?? 0, line["name"]?.string ?? "")
    case ("secret", _):
      let speak = line["speak"].flatMap { SpeechText($0) } ?? SpeechText(runs: [])
      let kind = line["kind"]?.string ?? "text"
      self = .secret(
        of: line["of"]?.integer ?? 0,
        kind: kind,
        speak: speak,
        masked: line["masked"]?.string
      )
    default: self = .other(name: name, line)
    }
  }
}
