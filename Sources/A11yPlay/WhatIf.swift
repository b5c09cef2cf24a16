// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yBroker
package import A11yPresenter
package import A11yRules
package import A11yWire

/// A recorded log played once more, with other rules and the reader that is always the same: what
/// would have come of it.
///
/// The events of clients are taken as they are on record, but for the reports of readers. All else
/// is decided anew, so that the entries get other numbers; references to entries are put right.
package struct WhatIf: ~Copyable {
  /// The rules that it goes by.
  package enum Rules: Sendable {
    /// Those on record.
    case recorded
    /// These and no others.
    case only(RuleSet)
    /// Those on record, and these over them.
    case recordedAnd([Rule])
  }

  /// How an event ends.
  package struct Ending: Equatable, Sendable {
    /// By the numbers of the record.
    package let of: Seq
    package let result: Result
    /// The event that has decided it, where the record has that.
    package let by: Seq?
    package let rule: String
    /// The outcome as an object: result, by, rule and why.
    package let text: [UInt8]
  }

  private let rules: Rules
  private var presenter: Presenter
  private var reader = AutoReader(conn: nil)
  private var numbers = Renumbering()
  /// The last entry of the record.
  private var last: Seq
  /// The rules do not fit together, so that those of the record are left as they were.
  package private(set) var hasTooManyRules = false

  private var moves = FocusPairs()

  private let json = JSONReader(limit: Limits.answerBytes)
  private var draft = Draft()
  /// The events that have ended since the last `takeEndings`.
  private var endings: [Ending] = []

  /// Begins before the first entry of a log, or behind the entry after which the presenter was so.
  package init(_ rules: Rules, presenter: Presenter?, after seq: Seq) {
    self.rules = rules
    self.presenter = presenter ?? Presenter(rules: .defaults)
    last = seq
    numbers.begin(after: seq)
    switch rules {
    case .recorded: break
    case .only, .recordedAnd:
      load(self.presenter.rules, self.presenter.pace, at: self.presenter.now.microseconds)
    }
  }

  /// The events that have ended since the last call.
  package mutating func takeEndings() -> [Ending] {
    defer { endings.removeAll(keepingCapacity: true) }
    return endings
  }

  // MARK: The record

  /// Takes the next entry of the record, without its newline.
  package mutating func take(_ line: Span<UInt8>) {
    guard let peek = EnvelopePeek(line), peek.seq > last else { return }
    last = peek.seq
    let own =
      peek.isOwn ? EventType.Own(rawValue: line.extracting(peek.type).string) : nil
    if peek.isOwn, Decision.isDecision(line.extracting(peek.type)) {
      if let own { noteDecision(own, line, peek) }
      return
    }
    // A start comes before what is due by then.
    if own != .opened { run(until: peek.mono) }
    let json = self.json
    do throws(JSONFault) { try json.read(line) } catch { return }
    let entry = json.document
    guard let event = EntryView(of: entry).event else { return }
    switch own {
    case .rules:
      numbers.assign(recorded: peek.seq)
      noteRules(entry, event, at: peek.mono)
      return
    case .opened: reader.leave()
    case .client:
      switch entry.string("state", of: event) {
      case "left", "unsubscribed":
        if let conn = entry.integer("conn", of: event) { reader.leave(conn) }
      default: break
      }
    case .closed, .seat, .forgot, .forgotten, .deliver, .silence, .outcome, .focus, .gesture: break
    case nil:
      // The reports on record are of another reader than this one.
      if line.extracting(peek.type).equals("speech"), entry.member("of", of: event) != nil {
        return
      }
    }
    let seq = numbers.assign(recorded: peek.seq)
    draft.rewrite(entry, event, line, seq: seq, numbers)
    takeDraft()
    settle()
  }

  /// Lets the clock run on until nothing is pending.
  package mutating func finish() { run(until: .max) }

  /// Takes note of what the record has decided, for those who refer to it.
  private mutating func noteDecision(
    _ type: EventType.Own,
    _ line: Span<UInt8>,
    _ peek: EnvelopePeek
  ) {
    guard type == .gesture || type == .focus else { return }
    run(until: peek.mono)
    let json = self.json
    do throws(JSONFault) { try json.read(line) } catch { return }
    let entry = json.document
    guard let event = EntryView(of: entry).event else { return }
    if type == .focus {
      numbers.pairFocus(peek.seq)
      let place = FocusPairs.Place(event, of: entry, by: entry.seq("by", of: event))
      if let ending = moves.addRecorded(peek.seq, place) { endings.append(ending) }
    } else if let action = entry.seq("action", of: event) {
      numbers.pairGesture(peek.seq, of: action)
    }
  }

  private mutating func noteRules(_ entry: JSONDocument, _ event: JSONIndex, at mono: Int64) {
    let recorded = RuleSet(entry: entry, event) ?? presenter.rules
    var pace = presenter.pace
    pace.take(WireEvent(event, of: entry))
    // Rules on record that others stand for change nothing at their time.
    if case .only = rules, pace == presenter.pace { return }
    load(recorded, pace, at: mono)
    settle()
  }

  /// Has the presenter go by the rules that are wanted in the place of those on record.
  private mutating func load(_ recorded: RuleSet, _ pace: ReaderPace, at mono: Int64) {
    var rules = recorded
    switch self.rules {
    case .recorded: break
    case .only(let others): rules = others
    case .recordedAnd(let more):
      let all = recorded.rules + more
      if all.count <= RuleSet.most, RuleSet.fits(all) {
        rules = RuleSet(all)
      } else {
        hasTooManyRules = true
      }
    }
    draft.writeRules(rules, pace, seq: numbers.last, mono: mono)
    takeDraft()
  }

  private mutating func takeDraft() {
    let json = self.json
    guard draft.readBack(with: json) else { return }
    presenter.take(json.document)
  }

  // MARK: Time

  /// Lets happen what is due by then: alarms before the reader's words of the same instant.
  private mutating func run(until limit: Int64) {
    while true {
      let alarm = presenter.due?.microseconds ?? .max
      let speech = reader.due ?? .max
      let next = min(alarm, speech)
      guard next <= limit, next < .max else { return }
      if alarm <= speech {
        while let due = presenter.due?.microseconds, due <= alarm {
          presenter.ring()
          drain()
        }
        listen()
      } else if let report = reader.finish() {
        say(report, at: speech)
        listen()
      }
    }
  }

  private mutating func settle() {
    drain()
    listen()
  }

  private mutating func listen() {
    while let report = reader.next() { say(report, at: presenter.now.microseconds) }
  }

  private mutating func say(_ report: AutoReader.Report, at mono: Int64) {
    while let due = presenter.due?.microseconds, due <= mono {
      presenter.ring()
      drain()
    }
    draft.writeReport(report, seq: numbers.next(), mono: mono)
    takeDraft()
    drain()
  }

  // MARK: Decisions

  /// Numbers what the presenter has decided, and has it heard.
  private mutating func drain() {
    while presenter.hasDecided {
      let seq = numbers.next()
      guard let decision = presenter.next(as: seq) else { return }
      switch decision {
      case .outcome(let outcome): end(outcome, decision)
      case .deliver, .silence:
        if let order = Order(decision, as: seq, at: presenter.now.microseconds) {
          reader.take(order)
        }
      case .focus:
        numbers.setFocus(seq)
        draft.writeDecision(decision, seq: seq, mono: presenter.now.microseconds)
        noteMove(seq)
        takeDraft()
      case .calm:
        draft.writeDecision(decision, seq: seq, mono: presenter.now.microseconds)
        takeDraft()
      case .gesture(let gesture): numbers.setGesture(seq, of: gesture.action)
      }
    }
  }

  /// Takes note of where the focus has gone, which the record may know under another number.
  private mutating func noteMove(_ seq: Seq) {
    let json = self.json
    guard draft.readBack(with: json) else { return }
    let entry = json.document
    guard let event = EntryView(of: entry).event else { return }
    let by = entry.seq("by", of: event).flatMap { numbers.recorded($0) }
    moves.addMove(seq, FocusPairs.Place(event, of: entry, by: by))
  }

  private mutating func end(_ outcome: Outcome, _ decision: Decision) {
    let by = outcome.by.flatMap { numbers.recorded($0) }
    let ending = Ending(
      of: numbers.recorded(outcome.of) ?? outcome.of,
      result: outcome.result,
      by: by,
      rule: outcome.rule,
      text: draft.ending(outcome, by: by)
    )
    if numbers.recorded(outcome.of) != nil {
      endings.append(ending)
    } else if let paired = moves.addEnding(ending) {
      endings.append(paired)
    }
  }
}

/// An event that ends otherwise with other rules.
package struct Difference: Equatable, Sendable {
  package let seq: Seq
  /// Nil where it did not end at all.
  package let was: WhatIf.Ending?
  package let now: WhatIf.Ending?

  /// Two ends are the same that have the same result through the same event: by which rule, and how
  /// long something has waited, is another matter.
  init?(_ seq: Seq, was: WhatIf.Ending?, now: WhatIf.Ending?) {
    guard was?.result != now?.result || was?.by != now?.by else { return nil }
    self.seq = seq
    self.was = was
    self.now = now
  }

  /// Appends the line that tells it to a program.
  package func write(into out: inout ByteBuffer) {
    out.append("{")
    out.append(member: "seq", seq.number)
    out.append(member: "was")
    if let was { out.append(was.text.span) } else { out.append("null") }
    out.append(member: "now")
    if let now { out.append(now.text.span) } else { out.append("null") }
    out.append("}")
  }
}

extension WhatIf.Ending {
  /// Whether anybody has heard of the event, or a part of it.
  package var isHeard: Bool {
    switch result {
    case .heard, .interrupted: true
    case .coalesced, .duplicate, .superseded, .inhibited, .summarised, .expired, .denied,
      .undeliverable, .cancelled, .handled, .unhandled:
      false
    }
  }
}

/// Pairs of focus entries, one of the record and one decided anew, with the same cause and the same
/// place.
///
/// The one that is decided now may be known, and have ended, before the record comes to its own.
struct FocusPairs {
  struct Place: Hashable {
    let by: Seq?
    let app: Name?
    let window: Name?
    let element: Name?

    /// Reads it off a focus entry, whose cause is told apart.
    init(_ event: JSONIndex, of entry: JSONDocument, by: Seq?) {
      self.by = by
      app = entry.name("app", of: event)
      window = entry.name("window", of: event)
      element = entry.name("element", of: event)
    }
  }

  /// Those of now that the record has not come to, and how they have ended.
  private var waiting: [Place: [Seq]] = [:]
  private var endings: [Seq: WhatIf.Ending] = [:]
  private var order: [Place] = []
  /// Those that are known in the record, and have not ended.
  private var recorded: [Seq: Seq] = [:]

  /// Those that wait for the record at most: it comes to them at once, or never.
  private static let kept = 256

  /// The focus has gone somewhere now.
  mutating func addMove(_ seq: Seq, _ place: Place) {
    if order.count >= Self.kept {
      for seq in waiting.removeValue(forKey: order.removeFirst()) ?? [] { endings[seq] = nil }
    }
    waiting[place, default: []].append(seq)
    order.append(place)
  }

  /// The focus has gone somewhere in the record; says how it has ended now, if it has.
  mutating func addRecorded(_ seq: Seq, _ place: Place) -> WhatIf.Ending? {
    guard var others = waiting[place], !others.isEmpty else { return nil }
    let other = others.removeFirst()
    waiting[place] = others.isEmpty ? nil : others
    if let index = order.firstIndex(of: place) { order.remove(at: index) }
    guard let ending = endings.removeValue(forKey: other) else {
      recorded[other] = seq
      return nil
    }
    return ending.of(seq)
  }

  /// Something that is not on record has ended; says so of it by its number there, if it has one.
  mutating func addEnding(_ ending: WhatIf.Ending) -> WhatIf.Ending? {
    if let seq = recorded.removeValue(forKey: ending.of) { return ending.of(seq) }
    if endings.count < Self.kept { endings[ending.of] = ending }
    return nil
  }
}

extension WhatIf.Ending {
  fileprivate func of(_ seq: Seq) -> WhatIf.Ending {
    WhatIf.Ending(of: seq, result: result, by: by, rule: rule, text: text)
  }
}

/// The new number of each entry of the record where all is decided anew, and the other way round.
struct Renumbering {
  private var base: Int64 = 0
  /// The entries of the record in order, each with its new number.
  ///
  /// Between two of them a record may lack any number of entries.
  private var fresh: [(recorded: Int64, number: Int64)] = []
  /// By the place behind `base` anew; 0 for an entry that is not on record.
  private var old: [Int64] = []
  private(set) var last = Seq.none
  private var focus: Seq?
  /// By the action that they are of.
  private var gestures: [Seq: Seq] = [:]
  private static let gesturesKept = 1_024

  /// Up to there both are the same.
  mutating func begin(after seq: Seq) {
    base = seq.number
    last = seq
  }

  /// The number of the next entry that is not on record.
  mutating func next() -> Seq {
    last = last.next
    old.append(0)
    return last
  }

  /// The number of the next entry that is on record, too.
  @discardableResult
  mutating func assign(recorded seq: Seq) -> Seq {
    last = last.next
    old.append(seq.number)
    set(seq, last)
    return last
  }

  private mutating func set(_ recorded: Seq, _ number: Seq?) {
    guard let number, recorded.number > max(base, fresh.last?.recorded ?? base) else { return }
    fresh.append((recorded.number, number.number))
  }

  // MARK: Decisions

  mutating func setFocus(_ seq: Seq) { focus = seq }

  /// A reference to a focus entry of the record means the place at which the focus was.
  mutating func pairFocus(_ recorded: Seq) { set(recorded, focus) }

  mutating func setGesture(_ seq: Seq, of action: Seq) {
    if gestures.count >= Self.gesturesKept { gestures.removeAll(keepingCapacity: true) }
    gestures[action] = seq
  }

  mutating func pairGesture(_ recorded: Seq, of action: Seq) {
    set(recorded, number(of: action).flatMap { gestures[$0] })
  }

  // MARK: Asking

  /// The number that an entry of the record has now.
  func number(of recorded: Seq) -> Seq? {
    if recorded.number <= base { return recorded }
    var (low, high) = (0, fresh.count)
    while low < high {
      let middle = low + (high - low) / 2
      if fresh[middle].recorded < recorded.number { low = middle + 1 } else { high = middle }
    }
    guard low < fresh.count, fresh[low].recorded == recorded.number else { return nil }
    return Seq(fresh[low].number)
  }

  /// The entry of the record that has this number now.
  func recorded(_ number: Seq) -> Seq? {
    if number.number <= base { return number }
    let place = Int(number.number - base - 1)
    guard place < old.count, old[place] > 0 else { return nil }
    return Seq(old[place])
  }
}
