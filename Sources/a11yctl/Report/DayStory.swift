// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yExplain
import A11yPresenter
import A11yWire

/// The events of a stretch of the log, each with its way and its end.
///
/// The entries come in their order. More events than `most` are counted and not drawn, so that the
/// longest log needs no more memory than a busy month.
struct DayStory {
  /// An event that the user is to hear of.
  struct Item {
    let seq: Seq
    let app: Int
    let type: String
    /// The wall clock's microseconds at which it was published.
    let published: Int64
    /// The first delivery, and the first word, in microseconds after the publication.
    var delivered: Int64?
    var started: Int64?
    var ended: Int64?
    var fate = Fate.waiting
    /// The part that was heard; none before its end.
    var part = HeardPart.nothing
    /// The words, for events that were not heard; cut after `wordsShown` characters.
    var words: String?
    var reason: MissedReason?
  }

  /// The most events that are kept.
  static let most = 200_000
  /// The characters of a text that a table shows.
  static let wordsShown = 120

  private static let kinds: [String: String] = [
    "announcement": "announcement", "layout-changed": "layout changed",
    "screen-changed": "screen changed", "page-scrolled": "page scrolled", "focus": "focus",
  ]

  let since: Int64
  /// The end of the stretch; a story that goes on is given a later one.
  var until: Int64
  private(set) var apps: [String] = []
  private(set) var items: [Item] = []
  /// The events beyond `most`.
  private(set) var uncounted = 0
  /// All published events, by the hour since `since`.
  private(set) var published: [Int] = []
  private(set) var quiet = QuietSpans()
  private(set) var focus = FocusPath()
  private(set) var entries: Int64 = 0
  /// The first and the last moment of which an entry tells.
  private(set) var span: ClosedRange<Int64>?

  private var numbers: [String: Int] = [:]
  private var places: [Seq: Int] = [:]
  /// The first event of each delivery that has not been spoken yet.
  private var deliveries: [Seq: (event: Seq, mono: Int64)] = [:]
  private var monos: [Int64] = []

  init(since: Int64, until: Int64) {
    self.since = since
    self.until = until
  }

  /// Takes the next entry.
  mutating func trace(_ entry: JSONDocument) {
    let envelope = EntryView(of: entry)
    guard let seq = envelope.seq, let time = envelope.time, let mono = envelope.mono,
      let event = envelope.event, let type = envelope.type
    else { return }
    focus.trace(entry, seq, type, time, isShown: time >= since && time <= until)
    guard time >= since, time <= until else {
      if time < since { quiet.trace(entry, event, type, time) }
      return
    }
    entries += 1
    span = min(span?.lowerBound ?? time, time)...max(span?.upperBound ?? time, time)
    quiet.trace(entry, event, type, time)
    if envelope.isOwn {
      traceOwn(entry, event, seq, mono, time, type)
    } else {
      countPublished(time)
      if type == EventType.speech.rawValue { traceSpeech(entry, event, mono) }
    }
    if let kind = Self.kinds[type], envelope.isOwn == (type == "focus") {
      // A focus that is nowhere is not to be heard.
      guard let app = envelope.isOwn ? entry.string("app", of: event) : envelope.app else { return }
      begin(Item(seq: seq, app: appNumber(of: app), type: kind, published: time), mono)
      if !envelope.isOwn { items[items.count - 1].words = Self.shownWords(entry, event) }
    }
  }

  private mutating func traceOwn(
    _ entry: JSONDocument,
    _ event: JSONIndex,
    _ seq: Seq,
    _ mono: Int64,
    _ time: Int64,
    _ type: String
  ) {
    switch type {
    case EventType.Own.outcome.rawValue:
      guard let ending = EventEnding(entry, seq), let of = entry.seq("of", of: event),
        let place = places[of]
      else { return }
      let reason = MissedReason(ending)
      items[place].ended = mono - monos[place]
      items[place].reason = reason
      items[place].fate = Fate(reason)
      items[place].part = ending.heardPart ?? .nothing
      if reason == nil { items[place].words = nil }
    case EventType.Own.deliver.rawValue:
      var first: Seq?
      for of in entry.listedSeqs("of", of: event) {
        if places[of].map({ items[$0].ended == nil }) ?? true { first = first ?? of }
        // Words about an event that has ended, as of missed ones, are none of its own.
        guard let place = places[of], items[place].ended == nil else { continue }
        items[place].delivered = items[place].delivered ?? mono - monos[place]
      }
      // Readers that do not report leave theirs behind.
      if deliveries.count >= Self.most { deliveries = [:] }
      if let first { deliveries[seq] = (first, mono) }
    default: break
    }
  }

  private mutating func traceSpeech(_ entry: JSONDocument, _ event: JSONIndex, _ mono: Int64) {
    guard entry.string("state", of: event) == "started", let of = entry.seq("of", of: event),
      let delivery = deliveries.removeValue(forKey: of), let place = places[delivery.event]
    else { return }
    items[place].started = items[place].started ?? mono - monos[place]
  }

  private mutating func begin(_ item: Item, _ mono: Int64) {
    guard items.count < Self.most else {
      uncounted += 1
      return
    }
    places[item.seq] = items.count
    items.append(item)
    monos.append(mono)
  }

  private mutating func countPublished(_ time: Int64) {
    let hour = Int((time - since) / 3_600_000_000)
    while published.count <= hour { published.append(0) }
    published[hour] += 1
  }

  private mutating func appNumber(of app: String) -> Int {
    if let number = numbers[app] { return number }
    numbers[app] = apps.count
    apps.append(app)
    return apps.count - 1
  }

  private static func shownWords(_ entry: JSONDocument, _ event: JSONIndex) -> String? {
    if let hidden = entry.string("redacted", of: event) { return EntryWords.hidden(hidden) }
    guard let text = entry.member("text", of: event) else { return nil }
    var words = ""
    if entry.kind(text) == .list {
      var run = text + 1
      while run < entry.end(text), words.utf8.count < 4 * wordsShown {
        words += entry.string("text", of: run) ?? ""
        run = entry.end(run)
      }
    } else {
      words = entry.string(text)
    }
    guard words.count > wordsShown else { return words }
    return words.prefix(wordsShown) + "…"
  }
}

extension JSONDocument {
  /// The seqs in a list.
  fileprivate func listedSeqs(_ name: StaticString, of object: JSONIndex) -> [Seq] {
    guard let value = member(name, of: object), kind(value) == .list else { return [] }
    var seqs: [Seq] = []
    var item = value + 1
    while item < end(value) {
      if let seq = integer(item).flatMap(Seq.init(stated:)) { seqs.append(seq) }
      item = end(item)
    }
    return seqs
  }
}

/// The end of an event in the few kinds that a person tells apart at a glance.
///
/// Each has a colour and a shape of its own, for eyes that do not tell the colours apart.
enum Fate: Int, CaseIterable {
  case heard, cut, merged, kept, lost, waiting

  init(_ reason: MissedReason?) {
    self =
      switch reason {
      case nil: .heard
      case .cut, .stopped: .cut
      case .counted, .newer, .repeated: .merged
      case .away, .locked, .muted, .background, .media, .modal, .rule, .withdrawn: .kept
      case .expired, .noReader, .readerOff, .failed, .secret, .other: .lost
      }
  }

  /// The name of its colour and its shape in the page.
  var id: String {
    switch self {
    case .heard: "heard"
    case .cut: "cut"
    case .merged: "merged"
    case .kept: "kept"
    case .lost: "lost"
    case .waiting: "waiting"
    }
  }

  /// The heading of its column.
  var title: String {
    switch self {
    case .heard: "Heard"
    case .cut: "Cut off"
    case .merged: "Stood in for"
    case .kept: "Kept on record"
    case .lost: "Lost"
    case .waiting: "Without an end"
    }
  }

  /// The meaning, for the legend.
  var meaning: String {
    switch self {
    case .heard: "spoken to its end, or presented"
    case .cut: "begun, and cut off or stopped"
    case .merged: "a newer one, an equal one or a summary was heard instead"
    case .kept: "a rule, a muting or its app kept it from being spoken"
    case .lost: "nobody could speak it, or it came too late"
    case .waiting: "it has no end yet"
    }
  }

  /// The shape, about the origin, six units wide.
  var shape: String {
    switch self {
    case .heard: "<circle r=\"3\"/>"
    case .cut: "<path d=\"M-3-3H0V3H-3Z\"/>"
    case .merged: "<path d=\"M0-3.6L3.6 0L0 3.6L-3.6 0Z\"/>"
    case .kept: "<path d=\"M-3-3H3V3H-3Z\"/>"
    case .lost: "<path d=\"M-3-2L-2-3L0-1L2-3L3-2L1 0L3 2L2 3L0 1L-2 3L-3 2L-1 0Z\"/>"
    case .waiting: "<path d=\"M0-3L3 3H-3Z\"/>"
    }
  }
}
