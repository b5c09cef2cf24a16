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
