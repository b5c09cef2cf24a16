// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// The alarms of the presenter, the earliest first.
///
/// At one instant alarms ring by the seq of the event that set them, then by their kind, so that
/// they ring in the same order whenever the process comes to it. No event sets two alarms of one
/// kind: the place of a row, by which some alarms are known, means nothing to another process, and
/// must not tell their order.
struct Alarms: Sendable {
  /// An alarm as one number, which its kind and the number of what it is for make up: in a flood
  /// every event sets one and cancels one.
  struct Alarm: TableKey, Sendable {
    /// Seqs, places and connections are the bus's own numbers.
    let tableNumber: Int64

    /// In the order in which they ring at one instant.
    enum Kind: Int64, CaseIterable {
      case apps, release, burst, bucket, storm, busy, estimate, cut, again, grace, reading, pause
      case expiry, gesture, disturbance, offer

      /// The name in the record.
      var word: String { Self.words[Int(rawValue)] }

      private static let words = [
        "apps", "release", "burst", "bucket", "storm", "busy", "estimate", "cut", "again", "grace",
        "reading", "pause", "expiry", "gesture", "disturbance", "offer",
      ]
    }

    init(_ kind: Kind, _ number: Int64 = 0) { tableNumber = number << 4 | kind.rawValue }

    fileprivate var rank: Int64 { tableNumber & 15 }
    var kind: Kind { Kind(rawValue: rank) ?? .offer }
    var number: Int64 { tableNumber >> 4 }
    var seq: Seq { Seq(number) }
    var place: Int { Int(number) }

    /// An event has become too old to be begun.
    static func expiry(_ event: Seq) -> Alarm { Alarm(.expiry, event.number) }
    /// A held event has waited for feedback long enough.
    static func release(_ event: Seq) -> Alarm { Alarm(.release, event.number) }
    /// A burst comes to rest.
    static func burst(_ place: Int) -> Alarm { Alarm(.burst, Int64(place)) }
    /// A bucket lets the next one pass.
    static func bucket(_ place: Int) -> Alarm { Alarm(.bucket, Int64(place)) }
    static func storm(_ place: Int) -> Alarm { Alarm(.storm, Int64(place)) }
    static func busy(_ place: Int) -> Alarm { Alarm(.busy, Int64(place)) }
    /// A reader should have finished by now.
    static var estimate: Alarm { Alarm(.estimate) }
    /// A reader should have said by now how far it came.
    static func cut(_ event: Seq) -> Alarm { Alarm(.cut, event.number) }
    /// An event that was cut has waited too long to be begun anew.
    static func again(_ event: Seq) -> Alarm { Alarm(.again, event.number) }
    /// A lost event may be offered once more.
    static func offer(_ event: Seq) -> Alarm { Alarm(.offer, event.number) }
    /// No reader has come.
    static var grace: Alarm { Alarm(.grace) }
    /// The user cannot be reading by himself any more.
    static var reading: Alarm { Alarm(.reading) }
    /// An app has forgotten to let readers go on.
    static func pause(_ conn: Int64) -> Alarm { Alarm(.pause, conn) }
    /// An action that went to an app.
    static func gesture(_ action: Seq) -> Alarm { Alarm(.gesture, action.number) }
    /// An app has been away for long enough.
    static var apps: Alarm { Alarm(.apps) }
    /// Do-not-disturb has lasted as long as it was to.
    static var disturbance: Alarm { Alarm(.disturbance) }
  }

  private struct Entry: Sendable {
    let due: Instant
    let by: Seq
    let alarm: Alarm

    init(due: Instant, by: Seq, alarm: Alarm) {
      self.due = due
      self.by = by
      self.alarm = alarm
    }

    init(_ expiry: (seq: Seq, due: Instant)) {
      self.init(due: expiry.due, by: expiry.seq, alarm: .expiry(expiry.seq))
    }

    static func < (a: Entry, b: Entry) -> Bool {
      if a.due != b.due { return a.due < b.due }
      if a.by != b.by { return a.by < b.by }
      if a.alarm.rank != b.alarm.rank { return a.alarm.rank < b.alarm.rank }
      return a.alarm.number < b.alarm.number
    }
  }

  /// All alarms but those of ages that come in their order.
  ///
  /// The entries that are set, and some that were cancelled or set anew since: to find these would
  /// take as long as to let them come to the top.
  private var heap: [Entry] = []
  private var settings: [Alarm: Setting] = [:]
  /// The ages of events, as far as they come in their order.
  private var expiries = ExpiryQueue()
  /// How many ages are among the settings.
  private var strays = 0

  private struct Setting: Sendable, Equatable {
    let due: Instant
    let by: Seq
  }

  /// The instant of the next one.
  var due: Instant? {
    guard let expiry = expiries.first else { return heap.first?.due }
    return heap.first.map { min($0.due, expiry.due) } ?? expiry.due
  }

  var count: Int { settings.count + expiries.count }

  /// Sets an alarm, or sets it anew.
  mutating func set(_ alarm: Alarm, at due: Instant, by seq: Seq) {
    if alarm.kind == .expiry {
      cancel(alarm)
      if alarm.seq == seq, expiries.schedule(seq, due: due) { return }
      strays += 1
    }
    let setting = Setting(due: due, by: seq)
    let before = settings.updateValue(setting, forKey: alarm)
    guard before != setting else { return }
    heap.append(Entry(due: due, by: seq, alarm: alarm))
    rise(heap.count - 1)
    if before != nil { tidy(without: alarm) }
  }

  mutating func cancel(_ alarm: Alarm) {
    if alarm.kind == .expiry {
      if expiries.cancel(alarm.seq) { return }
      guard strays > 0 else { return }
    }
    guard settings.removeValue(forKey: alarm) != nil else { return }
    if alarm.kind == .expiry { strays -= 1 }
    tidy(without: alarm)
  }

  /// Takes the next one out, and says when it was due and who set it.
  mutating func pop() -> (alarm: Alarm, due: Instant, by: Seq)? {
    let next: Entry
    if let expiry = expiries.first, heap.first.map({ Entry(expiry) < $0 }) ?? true {
      next = Entry(expiry)
    } else {
      guard let first = heap.first else { return nil }
      next = first
    }
    cancel(next.alarm)
    return (next.alarm, next.due, next.by)
  }

  /// All of them, the earliest first.
  var all: [(alarm: Alarm, due: Instant, by: Seq)] {
    let others = settings.map { Entry(due: $1.due, by: $1.by, alarm: $0) }
    return (expiries.all.map { Entry($0) } + others).sorted { $0 < $1 }
      .map { ($0.alarm, $0.due, $0.by) }
  }

  func due(of alarm: Alarm) -> Instant? {
    if alarm.kind == .expiry, let due = expiries.due(of: alarm.seq) { return due }
    return settings[alarm]?.due
  }

  // MARK: The heap

  /// On top is one that is set, and of the others not many more are not.
  private mutating func tidy(without alarm: Alarm) {
    if heap.count > 2 * settings.count + Self.slack {
      heap.removeAll(keepingCapacity: true)
      for (alarm, setting) in settings {
        heap.append(Entry(due: setting.due, by: setting.by, alarm: alarm))
      }
      for place in (0..<heap.count / 2).reversed() { sink(place) }
      return
    }
    guard heap.first?.alarm == alarm else { return }
    while let first = heap.first, !isSet(first) {
      let last = heap.removeLast()
      guard !heap.isEmpty else { return }
      heap[0] = last
      sink(0)
    }
  }

  private func isSet(_ entry: Entry) -> Bool {
    settings[entry.alarm] == Setting(due: entry.due, by: entry.by)
  }

  private static var slack: Int { 64 }

  private mutating func rise(_ start: Int) {
    var place = start
    while place > 0, heap[place] < heap[(place - 1) / 2] {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  private mutating func sink(_ start: Int) {
    var place = start
    while true {
      var least = place
      let child = 2 * place + 1
      if child < heap.count, heap[child] < heap[least] { least = child }
      if child + 1 < heap.count, heap[child + 1] < heap[least] { least = child + 1 }
      if least == place { return }
      heap.swapAt(place, least)
      place = least
    }
  }
}

/// Alarms of events that become too old, the earliest first.
///
/// Most events live equally long, so that the first to come is the first to go, and nothing has to
/// be sorted: in a flood every event sets such an alarm, and nearly all of them are cancelled.
struct ExpiryQueue: Sendable {
  private struct Alarm: Sendable {
    let seq: Seq
    let due: Instant
    var isSet = true
  }

  /// In the order of their seqs, which is that of the instants at which they are due.
  ///
  /// The one at `start` is set; others behind it were cancelled. Places before it are free.
  private var store: [Alarm] = []
  private var start = 0
  /// The number of those that are set.
  private(set) var count = 0

  /// So many cancelled ones are always kept, so that a short queue is not tidied all the time.
  private static var slack: Int { 64 }

  var first: (seq: Seq, due: Instant)? {
    count > 0 ? (store[start].seq, store[start].due) : nil
  }

  /// All that are set, the earliest first.
  var all: [(seq: Seq, due: Instant)] {
    store[start...].filter(\.isSet).map { ($0.seq, $0.due) }
  }

  func due(of seq: Seq) -> Instant? { place(of: seq).map { store[$0].due } }

  /// Sets an alarm behind all others; false where its place is among them.
  mutating func schedule(_ seq: Seq, due: Instant) -> Bool {
    if let last = store.last, last.seq >= seq || last.due > due { return false }
    store.append(Alarm(seq: seq, due: due))
    count += 1
    return true
  }

  /// Cancels an alarm; false where it is not set here.
  mutating func cancel(_ seq: Seq) -> Bool {
    guard let place = place(of: seq) else { return false }
    count -= 1
    if place == start + 1 {
      // In a flood the oldest carries the summary, and the one behind it leaves.
      store[place] = store[start]
      start = place
    } else {
      store[place].isSet = false
      while start < store.count, !store[start].isSet { start += 1 }
    }
    if store.count > 2 * count + Self.slack {
      store.removeFirst(start)
      store.removeAll { !$0.isSet }
      start = 0
    }
    return true
  }

  private func place(of seq: Seq) -> Int? {
    // Nearly all that are looked for in vain are about to be set.
    guard let last = store.last, seq <= last.seq else { return nil }
    if start + 1 < store.count, store[start + 1].seq == seq {
      return store[start + 1].isSet ? start + 1 : nil
    }
    var (low, high) = (start, store.count)
    while low < high {
      let middle = (low + high) / 2
      if store[middle].seq < seq { low = middle + 1 } else { high = middle }
    }
    return low < store.count && store[low].seq == seq && store[low].isSet ? low : nil
  }
}

/// An alarm by its name, with a number that means the same to another process.
struct RecordedAlarm: Recorded {
  private var kind: String
  private var number: Int64
  private(set) var due: Instant
  private(set) var by: Seq

  static var blank: RecordedAlarm { RecordedAlarm(.init(.apps), 0, .blank, .none) }

  init(_ alarm: Alarms.Alarm, _ number: Int64, _ due: Instant, _ by: Seq) {
    kind = alarm.kind.word
    self.number = number
    self.due = due
    self.by = by
  }

  /// Nil for an alarm of the future.
  var alarm: Alarms.Alarm? {
    Alarms.Alarm.Kind.allCases.first { $0.word == kind }.map { Alarms.Alarm($0, number) }
  }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&kind, &number, &due, &by)
  }
}
