// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yModel
internal import A11yRules
public import A11yWire

/// The numbers that applied, as an outcome states them.
///
/// Absent where they say nothing.
public struct Why: Sendable, Equatable {
  public var waited: TimeSpan?
  public var window: TimeSpan?
  public var rate: Rate?
  public var due: Instant?
  public var ttl: TimeSpan?
  public var heard: TimeSpan?
  public var isEstimated = false
  /// Another program has presented it.
  public var isElsewhere = false
  /// Another program had to speak first, through the voice of the reader.
  public var isBehindOthers = false
  public var isSilent = false
  public var isSensitive = false
  public var reason: Reason?
  /// The obstacle that kept it until it was too late.
  public var heldBy: Obstacle?
  /// The event itself has given the number that decided, and no rule.
  public var isFromEvent = false
  /// How many there were where a bound was met.
  public var count: Int64?
  private var answer: Answer?

  public init() {}

  /// Boxed: few events ask for the focus, and every event has its numbers carried along.
  private indirect enum Answer: Sendable, Equatable {
    case answer(FocusAnswer?, suggestion: Model.Spot?)

    init?(_ focus: FocusAnswer?, _ suggestion: Model.Spot?) {
      guard focus != nil || suggestion != nil else { return nil }
      self = .answer(focus, suggestion: suggestion)
    }
  }

  /// The answer to the wish of the event for the focus.
  public var focus: FocusAnswer? {
    get { if case .answer(let focus, _) = answer { focus } else { nil } }
    set { answer = Answer(newValue, suggestion) }
  }

  /// The place of a denied wish, if the user could go there.
  public var suggestion: Model.Spot? {
    get { if case .answer(_, let suggestion) = answer { suggestion } else { nil } }
    set { answer = Answer(focus, newValue) }
  }

  /// Forgets the numbers that were met so far, but for the answer to a wish for the focus.
  mutating func clear() {
    (waited, window, rate, due, ttl, heard) = (nil, nil, nil, nil, nil, nil)
    (reason, heldBy, count) = (nil, nil, nil)
    (isEstimated, isElsewhere, isBehindOthers) = (false, false, false)
    (isSilent, isSensitive, isFromEvent) = (false, false, false)
  }

  /// Whether the event has asked for the focus.
  var hasAnswer: Bool { if case .some = answer { true } else { false } }

  /// One in this time, and at once so many.
  public struct Rate: Sendable, Equatable {
    var interval: TimeSpan
    public internal(set) var burst: Int64

    public init(interval: TimeSpan, burst: Int64) {
      self.interval = interval
      self.burst = burst
    }

    /// Reads what was written of it.
    public init?(_ words: String) {
      let parts = words.split(whereSeparator: { "/, ".contains($0) })
      guard parts.count == 5, let time = Int64(parts[1]), let burst = Int64(parts[4]),
        (0...1 << 40).contains(time)
      else { return nil }
      interval = parts[2] == "s" ? .seconds(time) : .milliseconds(time)
      self.burst = burst
    }

    /// “2 s”, of which a number and a word are told.
    private var inWords: (Int64, StaticString) {
      let milliseconds = interval.wholeMilliseconds
      return milliseconds % 1_000 == 0 ? (milliseconds / 1_000, " s") : (milliseconds, " ms")
    }

    /// How long one of them is given.
    public var time: String { "\(inWords.0)\(inWords.1)" }

    fileprivate func write(into out: inout ByteBuffer) {
      let (number, unit) = inWords
      out.append(member: "rate")
      out.append("\"1/")
      out.append(decimal: number)
      out.append(unit)
      out.append(", burst ")
      out.append(decimal: burst)
      out.append("\"")
    }
  }

  /// Appends it as an object; lengths of time are told in whole milliseconds.
  public func write(into out: inout ByteBuffer) {
    out.object { out in
      if let waited { out.append(member: "waited_ms", waited.wholeMilliseconds) }
      if let window { out.append(member: "window_ms", window.wholeMilliseconds) }
      if let rate { rate.write(into: &out) }
      if let due { out.append(member: "due", due.microseconds) }
      if let ttl { out.append(member: "ttl_ms", ttl.wholeMilliseconds) }
      if let heard { out.append(member: "heard_ms", heard.wholeMilliseconds) }
      if isEstimated { out.append(member: "estimated", true) }
      if isElsewhere { out.append(member: "elsewhere", true) }
      if isBehindOthers { out.append(member: "behind", "other-speech") }
      if isSilent { out.append(member: "silent", true) }
      if isSensitive { out.append(member: "sensitive", true) }
      if let reason { out.append(member: "reason", reason.rawValue) }
      if let heldBy { out.append(member: "held_by", heldBy.rawValue) }
      if isFromEvent { out.append(member: "from", "event") }
      if let count { out.append(member: "count", count) }
      guard hasAnswer else { return }
      if let focus {
        out.append(member: "focus")
        focus.write(into: &out)
      }
      if let suggestion {
        out.object("suggestion") {
          $0.append(member: "window", suggestion.window.text)
          $0.append(member: "element", suggestion.element.text)
        }
      }
    }
  }
}

/// The answer to the wish of an event to have the focus somewhere.
public struct FocusAnswer: Sendable, Equatable {
  public enum Result: String, Sendable, CaseIterable {
    case moved
    /// It is where it was, or nothing else was asked for.
    case kept
    case denied
  }

  public let result: Result
  /// Why it was denied.
  public let reason: Reason?
  /// The entry that says where the focus is now.
  public let seq: Seq?

  public init(_ result: Result, reason: Reason?, seq: Seq?) {
    self.result = result
    self.reason = reason
    self.seq = seq
  }

  public func write(into out: inout ByteBuffer) {
    out.object {
      $0.append(member: "result", result.rawValue)
      if let reason { $0.append(member: "reason", reason.rawValue) }
      if let seq { $0.append(member: "seq", seq.number) }
    }
  }
}

extension Why: Recorded {
  static var blank: Why { Why() }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.waited, &self.window, &self.rate, &self.due)
    scribe.transcribe(&self.ttl)
    // In milliseconds, as every version has written it.
    var heard = self.heard?.wholeMilliseconds
    scribe.transcribe(&heard)
    if scribe.isReading { self.heard = heard.map(TimeSpan.milliseconds(_:)) }
    scribe.transcribe(&self.isEstimated)
    // Two flags in the place of one, so that older records can be read.
    var others = Int64(self.isElsewhere ? 1 : 0) + (self.isBehindOthers ? 2 : 0)
    scribe.transcribe(&others)
    self.isElsewhere = others & 1 != 0
    self.isBehindOthers = others & 2 != 0
    scribe.transcribe(&self.isSilent, &self.isSensitive, &self.reason, &self.heldBy)
    scribe.transcribe(&self.isFromEvent, &self.count)
    scribe.transcribe(&self.focus)
    scribe.transcribe(&self.suggestion)
  }
}

extension Why.Rate: Recorded {
  static var blank: Why.Rate { Why.Rate(interval: .blank, burst: 0) }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&self.interval, &self.burst)
  }
}

extension FocusAnswer: Recorded {
  static var blank: FocusAnswer { FocusAnswer(.kept, reason: nil, seq: nil) }

  mutating func record(_ scribe: inout Scribe) {
    var (result, reason, seq) = (self.result, self.reason, self.seq)
    scribe.transcribe(&result, &reason, &seq)
    self = FocusAnswer(result, reason: reason, seq: seq)
  }
}

extension Model.Spot: Recorded {
  static var blank: Model.Spot { Model.Spot(app: .blank, window: .blank, element: .blank) }

  mutating func record(_ scribe: inout Scribe) {
    var (app, window, element) = (self.app, self.window, self.element)
    scribe.transcribe(&app, &window, &element)
    self = Model.Spot(app: app, window: window, element: element)
  }
}
