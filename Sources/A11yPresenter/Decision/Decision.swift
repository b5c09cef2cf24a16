// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yModel
internal import A11yRules
public import A11yWire

/// A decision of the presenter, as the entry that the log gets of it.
///
/// They are large; each in a place of its own is handed on without being copied.
public enum Decision: Sendable {
  indirect case deliver(Delivery)
  indirect case silence(Silence)
  case outcome(Outcome)
  indirect case focus(FocusMove)
  indirect case gesture(Gesture)
  /// Do-not-disturb has lasted as long as it was to: it is at 0 again.
  case calm

  /// The word for the type of its entry.
  public var type: String {
    switch self {
    case .deliver: EventType.Own.deliver.rawValue
    case .silence: EventType.Own.silence.rawValue
    case .outcome: EventType.Own.outcome.rawValue
    case .focus: EventType.Own.focus.rawValue
    case .gesture: EventType.Own.gesture.rawValue
    case .calm: EventType.doNotDisturb.rawValue
    }
  }

  /// Whether the presenter takes its entry like any other: it changes what is the case.
  public var isTaken: Bool {
    switch self {
    case .focus, .calm: true
    case .deliver, .silence, .outcome, .gesture: false
    }
  }

  /// Whether entries of the bus's own with this type are decisions of the presenter.
  public static func isDecision(_ type: Span<UInt8>) -> Bool {
    switch EventType.Own(type) {
    case .deliver, .silence, .outcome, .gesture, .focus: true
    case .seat, .opened, .closed, .rules, .client, .forgot, .forgotten: false
    case nil: type.equals("do-not-disturb")
    }
  }

  /// The app of the event that it is about; nil where it is about no event of an app.
  package var app: AppKey? {
    switch self {
    case .deliver(let delivery): delivery.app
    case .outcome(let outcome): outcome.app
    case .focus, .silence, .gesture, .calm: nil
    }
  }

  /// The place that was denied, for a user who wants to go there.
  var suggestion: Suggestion? {
    if case .outcome(let outcome) = self { outcome.suggestion } else { nil }
  }

  var isFocus: Bool {
    if case .focus = self { true } else { false }
  }

  /// Appends the members behind the type.
  public func write(into out: inout ByteBuffer) {
    switch self {
    case .deliver(let delivery): delivery.write(into: &out)
    case .silence(let silence): silence.write(into: &out)
    case .outcome(let outcome): outcome.write(into: &out)
    case .focus(let move): move.write(into: &out)
    case .gesture(let gesture): gesture.write(into: &out)
    case .calm: out.append(member: "level", 0)
    }
  }
}

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

/// The end of an event.
///
/// It holds the event itself, which is in a box already: to take out of it what the entry tells
/// would be one more object for each event.
public struct Outcome: Sendable {
  private enum Subject: Sendable {
    case item(Item)
    /// An event of which no item is there: an action, or one out of the record.
    indirect case told(of: Seq, AppKey, window: Name?, element: Name?, Priority?)
  }

  private let subject: Subject
  private let ending: Ending

  public var result: Result { ending.result }
  public var by: Seq? { ending.by }
  public var rule: String { ending.rule }
  public var why: Why { ending.why }

  /// The end of an item.
  init(_ item: consuming Item, _ ending: Ending) {
    subject = .item(item)
    self.ending = ending
  }

  init(
    of: Seq,
    app: AppKey,
    window: Name?,
    element: Name?,
    priority: Priority?,
    ending: Ending
  ) {
    subject = .told(of: of, app, window: window, element: element, priority)
    self.ending = ending
  }

  public var of: Seq {
    switch subject {
    case .item(let item): item.of
    case .told(let of, _, _, _, _): of
    }
  }

  /// The app of the event, for subscribers that want to hear of one app only.
  public var app: AppKey {
    switch subject {
    case .item(let item): item.app
    case .told(_, let app, _, _, _): app
    }
  }

  var window: Name? {
    switch subject {
    case .item(let item): item.facts.window
    case .told(_, _, let window, _, _): window
    }
  }

  var element: Name? {
    switch subject {
    case .item(let item): item.facts.element
    case .told(_, _, _, let element, _): element
    }
  }

  /// That of an announcement, by which a subscriber may have asked for it.
  var priority: Priority? {
    switch subject {
    case .item(let item): item.kind == .announcement ? item.priority : nil
    case .told(_, _, _, _, let priority): priority
    }
  }

  fileprivate var suggestion: Suggestion? {
    guard ending.why.hasAnswer else { return nil }
    return why.suggestion.map {
      Suggestion(seq: of, spot: $0, reason: why.focus?.reason?.rawValue ?? "")
    }
  }

  func write(into out: inout ByteBuffer) {
    out.append(member: "of")
    out.append(decimal: of.number)
    out.append(member: "result")
    out.quote(Self.results, ending.result.number)
    if let by = ending.by {
      out.append(member: "by")
      out.append(decimal: by.number)
    }
    out.append(member: "rule")
    out.append(json: ending.rule)
    out.append(member: "why")
    ending.why.write(into: &out)
    out.append(subject: app, window, element)
    if let priority {
      out.append(member: "priority")
      out.quote(Self.priorities, priority.rank)
    }
  }

  // Every outcome has one of each.
  private static let results = QuotedWords(Result.allCases.map(\.rawValue))
  private static let priorities = QuotedWords(Priority.allCases.map(\.rawValue))
}

/// Words for the readers.
public struct Delivery: Sendable {
  /// By which the presenter knows it until the log has given it a seq.
  let ticket: Int64
  let of: [Seq]
  /// The connection of the reader that speaks it; nil where no reader does.
  public let to: Int64?
  let text: SpokenText
  let priority: String
  /// The speech that it cuts: a delivery, or the user's own reading.
  var interrupts: Cutting?
  let isInterruptible: Bool
  let earcon: Item.Earcon?
  let late: TimeSpan
  let isBoundary: Bool
  let isAgain: Bool
  let isTruncated: Bool
  let summary: Item.Summary?
  package let app: AppKey
  let window: Name?
  let element: Name?
  /// It says where the focus is.
  let isFocus: Bool

  enum Cutting: Sendable, Equatable {
    case reading
    case delivery(ticket: Int64, seq: Seq?)
  }

  /// How many characters are to be spoken; of words that the log does not have, the most there can
  /// be.
  public var characters: Int64 { text.length }
  /// The delivery that it cuts; nil for the user's own reading, and where it cuts nothing.
  public var cut: Seq? {
    if case .delivery(_, let seq) = interrupts { seq } else { nil }
  }

  /// Words that the log does not have.
  public enum Secret {
    /// The words of an event, of this element where the event is about elements.
    case event(Seq, Name?)
    /// The value of the element that the focus is on.
    case value(ElementPlace)
  }

  public var secret: Secret? {
    guard text.isRedacted, let of = of.last else { return nil }
    guard isFocus else { return .event(of, element) }
    guard let window, let element else { return nil }
    return .value(ElementPlace(app: app, window: window, element: element))
  }

  /// The runs to be spoken, with these in the place of those that the log does not have.
  public func spoken(with secret: [UInt8]) -> [UInt8] { text.restored(with: secret) }

  func write(into out: inout ByteBuffer) {
    out.array("of", of: of) { $0.append(decimal: $1.number) }
    if let to { out.append(member: "to", to) }
    out.append(member: "speak")
    out.append("[")
    out.append(text.runs.span)
    out.append("]")
    out.append(member: "priority", priority)
    switch interrupts {
    case nil: break
    case .reading: out.append(member: "interrupts", 0)
    case .delivery(_, let seq): if let seq { out.append(member: "interrupts", seq.number) }
    }
    if isInterruptible { out.append(member: "interruptible", true) }
    if let earcon { out.append(member: "earcon", earcon.rawValue) }
    if late > Bounds.late { out.append(member: "late_ms", late.wholeMilliseconds) }
    if isBoundary { out.append(member: "boundary", true) }
    if isAgain { out.append(member: "again", true) }
    if isTruncated { out.append(member: "truncated", true) }
    if let summary {
      out.object("summary") {
        $0.append(member: "count", summary.count)
        $0.append(member: "from", summary.from.number)
        $0.append(member: "to", summary.to.number)
      }
    }
    out.append(subject: app, window, element)
  }
}

/// Readers stop at once.
public struct Silence: Sendable {
  let ticket: Int64
  public internal(set) var of: Seq?
  let by: Seq?
  /// They go on later.
  let isHold: Bool
  package let app: AppKey

  func write(into out: inout ByteBuffer) {
    if let of { out.append(member: "of", of.number) }
    if let by { out.append(member: "by", by.number) }
    if isHold { out.append(member: "hold", true) }
    out.append(subject: app, nil, nil)
  }
}

extension FocusMove {
  func write(into out: inout ByteBuffer) {
    if let app {
      out.append(member: "app", app.app.text)
      out.append(member: "uid", Int64(app.uid))
    }
    if let window { out.append(member: "window", window.text) }
    out.append(member: "element")
    if let element { out.append(json: element.text) } else { out.append("null") }
    if let by { out.append(member: "by", by.number) }
    if let reason { out.append(member: "reason", reason.rawValue) }
    if let cause { out.append(member: "cause", cause.number) }
  }
}

/// An action that an app has to carry out.
public struct Gesture: Sendable {
  /// By which the presenter knows it until the log has given it a seq.
  let ticket: Int64
  public let action: Seq
  package let app: AppKey
  let window: Name?
  let element: Name?
  let name: String
  /// The length of a name that the log does not have; its app gets it beside the log.
  let redacted: String?

  func write(into out: inout ByteBuffer) {
    out.append(member: "action", action.number)
    out.append(member: "app", app.app.text)
    out.append(member: "uid", Int64(app.uid))
    if let window { out.append(member: "window", window.text) }
    if let element { out.append(member: "element", element.text) }
    if let redacted {
      out.append(member: "redacted", redacted)
    } else {
      out.append(member: "name", name)
    }
  }
}

extension ByteBuffer {
  /// Appends what a decision is about: filters look at nothing but the line itself.
  fileprivate mutating func append(subject app: AppKey, _ window: Name?, _ element: Name?) {
    // A focus that is nowhere is nobody's.
    guard !app.app.text.isEmpty else { return }
    append(member: "app")
    append(json: app.app.text)
    append(member: "uid")
    append(decimal: Int64(app.uid))
    if let window { append(member: "window", window.text) }
    if let element { append(member: "element", element.text) }
  }
}
