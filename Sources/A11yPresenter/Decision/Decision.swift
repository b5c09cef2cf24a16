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

  /// The app that it is about; nil where that is none, and for what a user does to an app.
  package var app: AppKey? {
    switch self {
    case .deliver(let delivery): delivery.app
    case .outcome(let outcome): outcome.app
    case .focus(let move): move.app
    case .silence(let silence): silence.app
    case .gesture, .calm: nil
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
    case .silence(let silence): Silence.form.write(silence, into: &out)
    case .outcome(let outcome): outcome.write(into: &out)
    case .focus(let move): move.write(into: &out)
    case .gesture(let gesture): Gesture.form.write(gesture, into: &out)
    case .calm: out.append(member: "level", 0)
    }
  }
}

/// Words for the readers, with the event itself: most of what they are told is its own.
public struct Delivery: Sendable {
  /// By which the presenter knows it until the log has given it a seq.
  let ticket: Int64
  private let item: Item
  /// The connection of the reader that speaks it; nil where no reader does.
  public let to: Int64?
  private let text: SpokenText
  private let isTruncated: Bool
  private let late: TimeSpan
  /// The speech that it cuts: a delivery, or the user's own reading.
  var interrupts: Cutting?

  enum Cutting: Sendable, Equatable {
    case reading
    case delivery(ticket: Int64, seq: Seq?)
  }

  init(
    _ item: Item,
    _ ticket: Int64,
    to reader: Int64?,
    interrupts: Cutting?,
    _ pace: ReaderPace,
    _ now: Instant
  ) {
    self.ticket = ticket
    self.item = item
    to = reader
    (text, isTruncated) = item.words(pace)
    late = now - item.mono
    self.interrupts = interrupts
  }

  package var app: AppKey { item.app }
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
    guard text.isRedacted else { return nil }
    guard item.kind == .focus else { return .event(item.of, item.facts.element) }
    guard let window = item.facts.window, let element = item.facts.element else { return nil }
    return .value(ElementPlace(app: item.app, window: window, element: element))
  }

  /// The runs to be spoken, with these in the place of those that the log does not have.
  public func spoken(with secret: [UInt8]) -> [UInt8] {
    text.restored(with: item.mark.map { SpokenText.runs(secret, startingAt: $0) } ?? secret)
  }

  func write(into out: inout ByteBuffer) {
    out.array("of") { $0.append(decimal: item.of.number) }
    if let to { out.append(member: "to", to) }
    out.append(member: "speak")
    out.append("[")
    out.append(text.runs.span)
    out.append("]")
    out.append(member: "priority", item.priority.rawValue)
    switch interrupts {
    case nil: break
    case .reading: out.append(member: "interrupts", 0)
    case .delivery(_, let seq): if let seq { out.append(member: "interrupts", seq.number) }
    }
    if item.spoken != .high { out.append(member: "interruptible", true) }
    if let earcon = item.earcon ?? (item.isBoundary ? .boundary : nil) {
      out.append(member: "earcon", earcon.rawValue)
    }
    if late > Bounds.late { out.append(member: "late_ms", late.wholeMilliseconds) }
    if item.isBoundary { out.append(member: "boundary", true) }
    if item.again != nil { out.append(member: "again", true) }
    if isTruncated { out.append(member: "truncated", true) }
    if let summary = item.stoodFor {
      out.object("summary") {
        $0.append(member: "count", summary.count)
        $0.append(member: "from", summary.from.number)
        $0.append(member: "to", summary.to.number)
      }
    }
    out.append(subject: item.facts.uid, item.facts.app, item.facts.window, item.facts.element)
  }
}

/// Readers stop at once.
public struct Silence: OwnEntry, Sendable {
  let ticket: Int64
  public internal(set) var of: Seq?
  let by: Seq?
  /// They go on later.
  let isHold: Bool
  package let app: AppKey

  public static let type = EventType.Own.silence
  public static let form = ObjectForm<Silence>(
    [
      .maybe("of", .seq, "The deliver entry that is cut; without it, all.", \.of),
      .maybe("by", .seq, "The entry that has led to it.", \.by),
      .maybe("hold", .flag, "It is a pause, after which the speech goes on.") {
        $0.isHold ? true : nil
      },
      // A focus that is nowhere is nobody's.
      .maybe("app", .anyText, "The app that the event is of.") {
        $0.app.app.text.isEmpty ? nil : $0.app.app.text
      },
      .maybe("uid", .count, "The user of the app.") {
        $0.app.app.text.isEmpty ? nil : $0.app.uid
      },
    ],
    meaning: "Readers stop at once."
  )
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
public struct Gesture: OwnEntry, Sendable {
  /// By which the presenter knows it until the log has given it a seq.
  let ticket: Int64
  public let action: Seq
  package let app: AppKey
  let window: Name?
  let element: Name?
  let name: String
  /// The length of a name that the log does not have; its app gets it beside the log.
  let redacted: String?

  public static let type = EventType.Own.gesture
  public static let form = ObjectForm<Gesture>(
    [
      .always("action", .seq, "The user's action.", \.action),
      .always("app", .anyText, "The app that is asked.", \.app.app.text),
      .always("uid", .count, "The user of the app.", \.app.uid),
      .maybe("window", .name, "The window that is asked.", \.window),
      .maybe("element", .name, "The element that is asked.", \.element),
      .maybe("name", .anyText, "The name of the gesture, or of the custom action.") {
        $0.redacted == nil ? $0.name : nil
      },
      .maybe(
        "redacted",
        .words(LengthClass.allCases.map(\.rawValue)),
        "The length of a name that only its app may know: it gets a mark behind the line.",
        \.redacted
      ),
    ],
    meaning: "An action that an app is to carry out; its owner answers with handled within 1 s."
  )
}

extension ByteBuffer {
  /// Appends what a decision is about: filters look at nothing but the line itself.
  mutating func append(
    subject uid: UInt32,
    _ app: Name,
    _ window: Name?,
    _ element: Name?
  ) {
    // A focus that is nowhere is nobody's.
    guard !app.text.isEmpty else { return }
    append(member: "app")
    append(json: app.text)
    append(member: "uid")
    append(decimal: Int64(uid))
    if let window { append(member: "window", window.text) }
    if let element { append(member: "element", element.text) }
  }
}

/// The decisions that are to be written down, the oldest first.
struct Decisions: Sendable {
  /// Ends of events that the log has not been found to have, though it should.
  private var missing: [Seq: Outcome] = [:]
  /// Those that were sent have left nothing behind.
  private var list: [Decision?] = []
  private var sent = 0
  /// The number of the last delivery, silence, gesture or item without an entry of its own.
  var tickets: Int64 = 0

  mutating func append(_ decision: Decision) { list.append(decision) }

  /// Has readers stop a delivery.
  mutating func silence(_ ticket: Int64, _ of: Seq?, _ app: AppKey, by: Seq?, isHold: Bool = false)
  {
    append(.silence(Silence(ticket: ticket, of: of, by: by, isHold: isHold, app: app)))
  }

  mutating func pop() -> Decision? {
    guard sent < list.count else { return nil }
    sent += 1
    if sent < list.count { return list[sent - 1].take() }
    let decision = list.removeLast()
    // Mostly it was one, and to take out what is left costs less than to empty an array of any
    // size.
    while !list.isEmpty { list.removeLast() }
    sent = 0
    return decision
  }

  var isEmpty: Bool { sent == list.count }

  var count: Int { list.count - sent }

  var movesFocus: Bool { list[sent...].contains { $0?.isFocus ?? false } }

  /// The decisions that nobody has taken yet, behind the ends that the log is missing.
  var unwritten: [Decision] {
    let ends = missing.values.sorted { $0.of < $1.of }.map { Decision.outcome($0) }
    return ends + list[sent...].compactMap(\.self)
  }

  /// Forgets decisions to speak that were never written: the readers that they were for are gone.
  mutating func dropSpeech() {
    list = unwritten.filter { decision in
      switch decision {
      case .deliver, .silence: false
      case .outcome, .focus, .gesture, .calm: true
      }
    }
    missing = [:]
    sent = 0
  }

  /// The log does not have an end; should it not come later either, the next start writes it down,
  /// for every event has an end.
  mutating func miss(_ outcome: Outcome) { missing[outcome.of] = outcome }

  mutating func find(_ seq: Seq) { missing[seq] = nil }

  mutating func forgetMissing(where isMeant: (Outcome) -> Bool) {
    missing = missing.filter { !isMeant($0.value) }
  }
}

extension FocusMove: Recorded {
  static var blank: FocusMove {
    FocusMove(app: nil, window: nil, element: nil, by: nil, reason: MoveReason.blank, cause: nil)
  }

  mutating func record(_ scribe: inout Scribe) {
    var (app, window, element) = (self.app, self.window, self.element)
    var (by, reason, cause) = (self.by, self.reason ?? MoveReason.blank, self.cause)
    scribe.transcribe(&app, &window, &element, &by)
    scribe.transcribe(&reason, &cause)
    self = FocusMove(
      app: app,
      window: window,
      element: element,
      by: by,
      reason: reason,
      cause: cause
    )
  }
}

extension Gesture: Recorded {
  static var blank: Gesture {
    Gesture(
      ticket: 0,
      action: .none,
      app: .blank,
      window: nil,
      element: nil,
      name: "",
      redacted: nil
    )
  }

  mutating func record(_ scribe: inout Scribe) {
    var (action, app, name) = (self.action, self.app, self.name)
    var (window, element, ticket) = (self.window, self.element, self.ticket)
    var redacted = self.redacted
    scribe.transcribe(&ticket, &action, &app, &window)
    scribe.transcribe(&element, &name, &redacted)
    self = Gesture(
      ticket: ticket,
      action: action,
      app: app,
      window: window,
      element: element,
      name: name,
      redacted: redacted
    )
  }
}
