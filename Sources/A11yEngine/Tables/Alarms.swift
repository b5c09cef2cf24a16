// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

/// What the engine waits for, the earliest first.
///
/// At one instant alarms ring by the seq of what set them, then by their kind, so that they ring in
/// the same order whenever the process comes to it.
struct Alarms: Sendable {
  enum Alarm: Hashable, Sendable {
    /// An event has become too old to be begun.
    case expiry(Seq)
    /// A held event has waited for feedback long enough.
    case release(Seq)
    /// A coalescing window ends.
    case window(Int)
    /// A bucket lets the next one pass.
    case bucket(Int)
    case storm(Int)
    case busy(Int)
    /// A reader should have finished by now.
    case estimate
    /// A reader should have said by now how far it came.
    case cut(Seq)
    /// What was cut has waited too long to be begun anew.
    case again(Seq)
    /// Nobody has come to read.
    case grace
    /// The user cannot be reading by himself any more.
    case reading
    /// An app has forgotten to let readers go on.
    case pause(Int64)
    /// An action that went to an app.
    case gesture(Seq)
    /// An app has been away for long enough.
    case apps

    fileprivate var rank: Int {
      switch self {
      case .expiry: 12
      case .release: 1
      case .window: 2
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
      }
    }
  }

  private struct Entry: Sendable {
    let due: Int64
    let by: Seq
    let alarm: Alarm

    static func < (a: Entry, b: Entry) -> Bool {
      if a.due != b.due { return a.due < b.due }
      if a.by != b.by { return a.by < b.by }
      return a.alarm.rank < b.alarm.rank
    }
  }

  private var heap: [Entry] = []
  private var places: [Alarm: Int] = [:]

  /// When the next one rings.
  var due: Int64? { heap.first?.due }

  var count: Int { heap.count }

  /// Sets an alarm, or sets it anew.
  mutating func set(_ alarm: Alarm, at due: Int64, by seq: Seq) {
    let entry = Entry(due: due, by: seq, alarm: alarm)
    if let place = places[alarm] {
      heap[place] = entry
      settle(place)
    } else {
      heap.append(entry)
      places[alarm] = heap.count - 1
      rise(heap.count - 1)
    }
  }

  mutating func cancel(_ alarm: Alarm) {
    guard let place = places.removeValue(forKey: alarm) else { return }
    let last = heap.removeLast()
    guard place < heap.count else { return }
    heap[place] = last
    places[last.alarm] = place
    settle(place)
  }

  /// Takes the next one out, and says when it was due and who set it.
  mutating func pop() -> (alarm: Alarm, due: Int64, by: Seq)? {
    guard let first = heap.first else { return nil }
    cancel(first.alarm)
    return (first.alarm, first.due, first.by)
  }

  /// All of them, the earliest first.
  var all: [(alarm: Alarm, due: Int64, by: Seq)] {
    heap.sorted { $0 < $1 }.map { ($0.alarm, $0.due, $0.by) }
  }

  func due(of alarm: Alarm) -> Int64? { places[alarm].map { heap[$0].due } }

  private mutating func settle(_ place: Int) {
    rise(place)
    sink(place)
  }

  private mutating func rise(_ start: Int) {
    var place = start
    while place > 0, heap[place] < heap[(place - 1) / 2] {
      swap(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  private mutating func sink(_ start: Int) {
    var place = start
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2] where child < heap.count {
        if heap[child] < heap[least] { least = child }
      }
      if least == place { return }
      swap(place, least)
      place = least
    }
  }

  private mutating func swap(_ a: Int, _ b: Int) {
    heap.swapAt(a, b)
    places[heap[a].alarm] = a
    places[heap[b].alarm] = b
  }
}
