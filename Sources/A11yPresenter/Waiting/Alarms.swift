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
  enum Alarm: Equatable, Sendable {
    /// An event has become too old to be begun.
    case expiry(Seq)
    /// A held event has waited for feedback long enough.
    case release(Seq)
    /// A burst comes to rest.
    case burst(Int)
    /// A bucket lets the next one pass.
    case bucket(Int)
    case storm(Int)
    case busy(Int)
    /// A reader should have finished by now.
    case estimate
    /// A reader should have said by now how far it came.
    case cut(Seq)
    /// An event that was cut has waited too long to be begun anew.
    case again(Seq)
    /// A lost event may be offered once more.
    case offer(Seq)
    /// No reader has come.
    case grace
    /// The user cannot be reading by himself any more.
    case reading
    /// An app has forgotten to let readers go on.
    case pause(Int64)
    /// An action that went to an app.
    case gesture(Seq)
    /// An app has been away for long enough.
    case apps
    /// Do-not-disturb has lasted as long as it was to.
    case disturbance

    fileprivate var rank: Int64 {
      switch self {
      case .expiry: 12
      case .release: 1
      case .burst: 2
      case .bucket: 3
      case .storm: 4
      case .busy: 5
      case .estimate: 6
      case .cut: 7
      case .again: 8
      case .grace: 9
      case .reading: 10
      case .pause: 11
      case .gesture: 13
      case .apps: 0
      case .disturbance: 14
      case .offer: 15
      }
    }

    fileprivate var number: Int64 {
      switch self {
      case .expiry(let seq), .release(let seq), .cut(let seq), .again(let seq), .gesture(let seq),
        .offer(let seq):
        seq.number
      case .burst(let place), .bucket(let place), .storm(let place), .busy(let place):
        Int64(place)
      case .pause(let conn): conn
      case .estimate, .grace, .reading, .apps, .disturbance: 0
      }
    }
  }

  /// An alarm as one number: in a flood every event sets one and cancels one.
  fileprivate struct Token: TableKey, Sendable {
    /// Seqs, places and connections are the bus's own numbers.
    let tableNumber: Int64

    init(_ alarm: Alarm) { tableNumber = alarm.number << 4 | alarm.rank }

    var isExpiry: Bool { rank == Alarm.expiry(.none).rank }

    var rank: Int64 { tableNumber & 15 }
    var number: Int64 { tableNumber >> 4 }
  }

  private struct Entry: Sendable {
    let due: Instant
    let by: Seq
    let token: Token

    init(due: Instant, by: Seq, token: Token) {
      self.due = due
      self.by = by
      self.token = token
    }

    init(_ expiry: (seq: Seq, due: Instant)) {
      self.init(due: expiry.due, by: expiry.seq, token: Token(.expiry(expiry.seq)))
    }

    static func < (a: Entry, b: Entry) -> Bool {
      if a.due != b.due { return a.due < b.due }
      if a.by != b.by { return a.by < b.by }
      if a.token.rank != b.token.rank { return a.token.rank < b.token.rank }
      return a.token.number < b.token.number
    }
  }

  /// All alarms but those of ages that come in their order.
  ///
  /// The entries that are set, and some that were cancelled or set anew since: to find these would
  /// take as long as to let them come to the top.
  private var heap: [Entry] = []
  private var settings: [Token: Setting] = [:]
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
    if case .expiry(let item) = alarm {
      cancel(alarm)
      if item == seq, expiries.schedule(item, due: due) { return }
      strays += 1
    }
    let token = Token(alarm)
    let setting = Setting(due: due, by: seq)
    let before = settings.updateValue(setting, forKey: token)
    guard before != setting else { return }
    heap.append(Entry(due: due, by: seq, token: token))
    rise(heap.count - 1)
    if before != nil { tidy(without: token) }
  }

  mutating func cancel(_ alarm: Alarm) {
    if case .expiry(let item) = alarm {
      if expiries.cancel(item) { return }
      guard strays > 0 else { return }
    }
    cancel(Token(alarm))
  }

  private mutating func cancel(_ token: Token) {
    guard settings.removeValue(forKey: token) != nil else { return }
    if token.isExpiry { strays -= 1 }
    tidy(without: token)
  }

  /// Takes the next one out, and says when it was due and who set it.
  mutating func pop() -> (alarm: Alarm, due: Instant, by: Seq)? {
    if let expiry = expiries.first, heap.first.map({ Entry(expiry) < $0 }) ?? true {
      _ = expiries.cancel(expiry.seq)
      return (.expiry(expiry.seq), expiry.due, expiry.seq)
    }
    guard let first = heap.first else { return nil }
    cancel(first.token)
    return (Alarm(first.token), first.due, first.by)
  }

  /// All of them, the earliest first.
  var all: [(alarm: Alarm, due: Instant, by: Seq)] {
    let others = settings.map { Entry(due: $1.due, by: $1.by, token: $0) }
    return (expiries.all.map { Entry($0) } + others).sorted { $0 < $1 }
      .map { (Alarm($0.token), $0.due, $0.by) }
  }

  func due(of alarm: Alarm) -> Instant? {
    if case .expiry(let item) = alarm, let due = expiries.due(of: item) { return due }
    return settings[Token(alarm)]?.due
  }

  // MARK: The heap

  /// On top is one that is set, and of the others not many more are not.
  private mutating func tidy(without token: Token) {
    if heap.count > 2 * settings.count + Self.slack {
      heap.removeAll(keepingCapacity: true)
      for (token, setting) in settings {
        heap.append(Entry(due: setting.due, by: setting.by, token: token))
      }
      for place in (0..<heap.count / 2).reversed() { sink(place) }
      return
    }
    guard heap.first?.token == token else { return }
    while let first = heap.first, !isSet(first) {
      let last = heap.removeLast()
      guard !heap.isEmpty else { return }
      heap[0] = last
      sink(0)
    }
  }

  private func isSet(_ entry: Entry) -> Bool {
    settings[entry.token] == Setting(due: entry.due, by: entry.by)
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

extension Alarms.Alarm {
  /// The alarm that has this rank, and this number.
  fileprivate init(_ token: Alarms.Token) {
    let seq = Seq(token.number)
    let place = Int(token.number)
    switch token.rank {
    case 0: self = .apps
    case 1: self = .release(seq)
    case 2: self = .burst(place)
    case 3: self = .bucket(place)
    case 4: self = .storm(place)
    case 5: self = .busy(place)
    case 6: self = .estimate
    case 7: self = .cut(seq)
    case 8: self = .again(seq)
    case 9: self = .grace
    case 10: self = .reading
    case 11: self = .pause(token.number)
    case 12: self = .expiry(seq)
    case 13: self = .gesture(seq)
    case 14: self = .disturbance
    default: self = .offer(seq)
    }
  }
}
