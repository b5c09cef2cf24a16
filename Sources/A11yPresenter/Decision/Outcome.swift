// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yModel
internal import A11yRules
public import A11yWire

/// How an event ends, once and for all.
public enum Result: String, Sendable, CaseIterable {
  case heard, interrupted, coalesced, duplicate, superseded, inhibited, summarised, expired, denied
  case undeliverable, cancelled
  /// Of gestures.
  case handled, unhandled

  /// Its place in a list of counts.
  public var number: Int {
    switch self {
    case .heard: 0
    case .interrupted: 1
    case .coalesced: 2
    case .duplicate: 3
    case .superseded: 4
    case .inhibited: 5
    case .summarised: 6
    case .expired: 7
    case .denied: 8
    case .undeliverable: 9
    case .cancelled: 10
    case .handled: 11
    case .unhandled: 12
    }
  }
}

/// How an event ends; the numbers that say why are the event's own.
struct Ending: Sendable {
  let result: Result
  /// The entry that brings the end about.
  let by: Seq?
  /// The name of the rule that decides.
  let rule: String

  init(_ result: Result, by: Seq?, rule: String) {
    self.result = result
    self.by = by
    self.rule = rule
  }

  init(_ result: Result, by: Seq?, rule: OwnRule) { self.init(result, by: by, rule: rule.name) }
}

/// The entry that ends an event, with the event itself: its numbers say why.
public struct Outcome: Sendable {
  private let item: Item
  private let ending: Ending

  init(_ item: consuming Item, _ ending: Ending) {
    self.item = item
    self.ending = ending
  }

  /// The end of an event of which no item is there: an action, or one out of the record.
  init(
    of: Seq,
    app: AppKey,
    window: Name? = nil,
    element: Name? = nil,
    priority: Priority? = nil,
    ending: Ending,
    why: Why
  ) {
    var item = Item.blank
    item.of = of
    item.kind = priority == nil ? .report : .announcement
    item.facts.uid = app.uid
    item.facts.app = app.app
    item.facts.window = window
    item.facts.element = element
    item.facts.priority = priority ?? .default
    item.why = why
    self.init(item, ending)
  }

  public var of: Seq { item.of }
  public var result: Result { ending.result }
  public var by: Seq? { ending.by }
  public var rule: String { ending.rule }
  public var why: Why { item.why }
  // Each end is counted by these two; by way of `why` all of its numbers would be copied for one.
  package var waited: TimeSpan? { item.why.waited }
  package var heard: TimeSpan? { item.why.heard }
  /// The app of the event, for subscribers that want to hear of one app only.
  public var app: AppKey { item.app }

  /// That of an announcement, by which a subscriber may have asked for it.
  private var priority: Priority? { item.kind == .announcement ? item.priority : nil }

  /// The place that was denied, for a user who wants to go there.
  var suggestion: Suggestion? {
    guard item.why.hasAnswer else { return nil }
    return why.suggestion.map {
      Suggestion(seq: of, spot: $0, reason: why.focus?.reason?.rawValue ?? "")
    }
  }

  func write(into out: inout ByteBuffer) {
    out.append(member: "of")
    out.append(decimal: item.of.number)
    out.append(member: "result")
    out.quote(Self.results, ending.result.number)
    if let by = ending.by {
      out.append(member: "by")
      out.append(decimal: by.number)
    }
    out.append(member: "rule")
    out.append(json: ending.rule)
    out.append(member: "why")
    item.why.write(into: &out)
    out.append(subject: item.facts.uid, item.facts.app, item.facts.window, item.facts.element)
    if let priority {
      out.append(member: "priority")
      out.quote(Self.priorities, priority.rank)
    }
  }

  // Every outcome has one of each.
  private static let results = QuotedWords(Result.allCases.map(\.rawValue))
  private static let priorities = QuotedWords(Priority.allCases.map(\.rawValue))
}

extension Outcome: Recorded {
  static var blank: Outcome {
    Outcome(of: .none, app: .blank, ending: Ending(.heard, by: nil, rule: ""), why: Why())
  }

  mutating func record(_ scribe: inout Scribe) {
    var (of, app, window, element) = (self.of, self.app, item.facts.window, item.facts.element)
    var (priority, result, by) = (self.priority, self.result, self.by)
    var (rule, why) = (self.rule, self.why)
    scribe.transcribe(&of, &app, &window, &element)
    scribe.transcribe(&priority, &result, &by, &rule)
    scribe.transcribe(&why)
    guard scribe.isReading else { return }
    self = Outcome(
      of: of,
      app: app,
      window: window,
      element: element,
      priority: priority,
      ending: Ending(result, by: by, rule: rule),
      why: why
    )
  }
}

extension Presenter {
  /// Ends an event that does not wait any more: its outcome is decided.
  mutating func end(_ item: consuming Item, _ ending: Ending) {
    if item.countsAsFeedback, let action = item.action {
      actions.endFeedback(of: action)
      mayRelease = true
    }
    pipeline.duplicates.retract(item)
    if waiting.tally.cut > 0 { waiting.endCutter(item.seq, context) }
    floor.outage.forget(item.seq)
    guard item.endsInOutcome else {
      floor.past.close { $0.seq == item.seq }
      return
    }
    if !floor.cuts.isEmpty || !floor.past.all.isEmpty { dropCuts(of: item.of) }
    if item.why.hasAnswer, let spot = item.why.suggestion, !suggests(spot, for: item) {
      item.why.suggestion = nil
    }
    decide(.outcome(Outcome(consume item, ending)))
  }

  /// The same, with other numbers.
  mutating func end(_ item: consuming Item, _ ending: Ending, _ why: Why) {
    item.why = why
    end(item, ending)
  }

  /// Ends an event that waits somewhere.
  mutating func end(_ seq: Seq, _ ending: Ending) {
    guard var item = waiting.withdraw(seq) else { return }
    item.noteWait(until: now)
    end(item, ending)
  }
}

/// The part of an event that a person has heard, which all counts of heard events go by.
package enum HeardPart: Sendable {
  case whole
  /// It was cut off after some time.
  case part
  case nothing

  /// Whether the event counts as heard.
  package var isHeard: Bool { self != .nothing }
}

extension Result {
  /// The part that was heard of an event with this end, of which a reader had spoken so long; nil
  /// for the user's own actions, which nobody hears.
  package func heardPart(after spoken: @autoclosure () -> TimeSpan?) -> HeardPart? {
    switch self {
    case .heard: .whole
    case .interrupted: spoken() ?? .zero > .zero ? .part : .nothing
    case .handled, .unhandled: nil
    case .coalesced, .duplicate, .superseded, .inhibited, .summarised, .expired, .denied,
      .undeliverable, .cancelled:
      .nothing
    }
  }
}

/// The rules that no file can change, by the names that outcomes bear.
public enum OwnRule: String, Sendable, CaseIterable {
  /// An app in the background is not heard, or not at once.
  case background
  case modal
  case mediaSession = "media session"
  /// The session is locked.
  case lock
  /// An app cannot take the focus from a user who has moved on.
  case focusProtection = "focus protection"
  /// The focus follows a report of a toolkit, unless something is against it.
  case focus
  case afterActionHold = "after-action hold"
  /// More events wait than the queue has room for.
  case queueBound = "queue bound"
  /// An event cuts another that is being spoken.
  case interruption
  /// An event that was cut is offered once more.
  case onceMore = "once more"
  /// No reader is there, or the reader could not speak.
  case reader
  case restart
  /// An app has withdrawn its event.
  case cancel
  /// The event itself gives the time within which it must begin.
  case ownTTL = "ttl"
  /// An app answers a gesture, or fails to.
  case gesture
  /// The user has stopped all speech.
  case stop
  /// The user has something repeated.
  case `repeat`
  /// The user has paused all speech.
  case pause
  /// The user leaves the place that is being spoken of.
  case escape

  /// The name in an outcome.
  var name: String { rawValue }
}

/// A word for the reason of an end, or of a denied wish, where no number says it.
public enum Reason: Sendable, Equatable {
  /// The app is in the background.
  case background
  /// Something modal lies over the place.
  case modal
  case mediaSession
  /// The session is locked, by a window of another app.
  case locked
  /// The user has gone on since.
  case moved
  /// The element is not there, or is none to be stopped at.
  case missing
  /// The app has asked too often.
  case rate
  /// A new screen has just come.
  case screenChanged
  case noReader
  case readerOff
  /// Its user does not sit at the machine, or another person's voice is the one that speaks.
  case away
  /// The reader has stopped by itself.
  case reader
  /// The reader has not said what became of the utterance.
  case noReport
  /// The reader's own word for its failure.
  case reported(String)

  /// The reasons that have a word of ours.
  public static let own: [Reason] = [
    .background, .modal, .mediaSession, .locked, .moved, .missing, .rate, .screenChanged, .noReader,
    .readerOff, .away, .reader, .noReport,
  ]
}

extension Reason: RawRepresentable {
  public var rawValue: String {
    switch self {
    case .background: "background"
    case .modal: "modal"
    case .mediaSession: "media-session"
    case .locked: "locked"
    case .moved: "moved"
    case .missing: "missing"
    case .rate: "rate"
    case .screenChanged: "screen-changed"
    case .noReader: "no reader"
    case .readerOff: "reader off"
    case .away: "away"
    case .reader: "reader"
    case .noReport: "no report"
    case .reported(let words): words
    }
  }

  public init(rawValue: String) {
    self = Self.own.first { $0.rawValue == rawValue } ?? .reported(rawValue)
  }
}
