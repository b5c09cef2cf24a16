// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
internal import A11yWire

/// The thing that keeps a waiting event from being spoken, in the words of the protocol.
///
/// In the order in which the presenter asks: an event that several of them keep is told the first.
public enum Obstacle: String, Sendable, CaseIterable {
  /// No reader is there, none that runs, none that has settled whether it does, or one that has
  /// lost the event just now.
  case readerOff = "reader-off"
  case doNotDisturb = "do-not-disturb"
  case userPause = "pause-user"
  case appPause = "pause-app"
  /// A modal window lies over the place that it came from.
  case modal
  /// The feedback of the user's action is heard first.
  case hold
  /// It waits for quiet: of its key, of its app's elements, or of its busy element.
  case debounce
  case rate
  /// Another is being spoken, or comes first.
  case turn
  /// The user's own reading.
  case reading

  /// Whether an event is out of the running, though nothing else were to be spoken.
  var isBar: Bool {
    switch self {
    case .readerOff, .doNotDisturb, .userPause, .appPause, .modal, .hold, .debounce, .rate: true
    case .turn, .reading: false
    }
  }
}

extension Presenter {
  /// The obstacle to an event that waits.
  ///
  /// The queue decides by it, and the state, explanations and outcomes tell it.
  func obstacle(to item: Item) -> Obstacle {
    if let silence = silence(over: item) { return silence }
    switch item.standing {
    case .held: return .hold
    case .busy, .storm, .coalescing: return .debounce
    case .limited: return .rate
    case .moving, .queued, .speaking: break
    }
    if item.wasHeld, let action = item.action, isFeedbackQueued(of: action) { return .hold }
    return floor.speaking == nil && floor.readers.isReading && !item.isSilent ? .reading : .turn
  }

  func isCovered(_ item: Item) -> Bool {
    model.isCovered(window: item.facts.window, element: item.facts.element, app: item.app)
  }

  func isEligible(_ item: Item) -> Bool { !obstacle(to: item).isBar }

  /// The obstacle that keeps an event from being heard wherever it stands.
  private func silence(over item: Item) -> Obstacle? {
    if item.kind == .status { return nil }
    guard case .open = gate, !rests(item) else { return .readerOff }
    // A sound in the place of words disturbs as they would.
    if item.isSilent, item.earcon != .sound { return nil }
    if waiting.quiet.isDisturbing(item) { return .doNotDisturb }
    if item.isUrgent { return nil }
    if waiting.quiet.pausedAt != nil { return .userPause }
    if isPausedByApp(item) { return .appPause }
    if item.isAnnouncement, item.kind != .digest, item.priority == .low, isCovered(item) {
      return .modal
    }
    return nil
  }

  private func isFeedbackQueued(of action: Seq) -> Bool {
    waiting.line.places.contains {
      $0.isFeedback && $0.action == action && ($0.standing == .queued || $0.standing == .limited)
    }
  }

  /// The instant at which an event goes on by itself if nothing else comes; nil where that is not
  /// for the clock to say.
  func turn(of item: Item) -> Instant? {
    switch item.standing {
    case .speaking: return waiting.alarms.due(of: .estimate)
    case .moving, .busy, .storm, .held, .coalescing, .limited, .queued: break
    }
    switch obstacle(to: item) {
    case .hold where item.standing == .held: return waiting.alarms.due(of: .release(item.seq))
    case .debounce: return quietTurn(of: item)
    case .rate: return pipeline.rate.due(of: item)
    case .readerOff: return floor.outage.next(of: item.seq)
    case .doNotDisturb, .userPause, .appPause, .modal, .hold, .turn, .reading: return nil
    }
  }

  /// The instant at which the quiet time of an event is over, at the latest.
  private func quietTurn(of item: Item) -> Instant? {
    switch item.standing {
    case .coalescing:
      item.coalescingKey.flatMap { pipeline.coalesce.due(of: $0, waiting.alarms) }
    case .busy: pipeline.busy.due(of: item, waiting.alarms)
    case .storm: pipeline.storm.due(of: item, rules.table, waiting.alarms)
    case .moving, .held, .limited, .queued, .speaking: nil
    }
  }

  /// The instant at which an event ends unless it has begun, by whichever rule ends it first.
  func end(of item: Item) -> Instant? {
    guard item.standing != .speaking else { return nil }
    let alarms: [Alarms.Alarm] = [.expiry(item.seq), .again(item.seq)]
    var ends = alarms.map { waiting.alarms.due(of: $0) }
    if case .waiting = gate, item.standing != .held, isLostWithoutReader(item) {
      ends.append(waiting.alarms.due(of: .grace))
    }
    return ends.compactMap(\.self).min()
  }

  /// The instant at which something becomes of an event, if nothing else comes.
  func due(of item: Item) -> Instant? {
    [turn(of: item), end(of: item)].compactMap(\.self).min()
  }

  /// The rule that has an event wait, where it is one.
  func blame(_ obstacle: Obstacle, for item: Item) -> String? {
    switch obstacle {
    case .hold, .debounce, .rate: item.blamed
    case .readerOff, .doNotDisturb, .userPause, .appPause, .modal, .turn, .reading: nil
    }
  }
}
