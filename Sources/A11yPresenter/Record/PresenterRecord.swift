// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
public import A11yWire

// The presenter written down, so that another process can go on where this one was: the model
// apart, which is long and has a way of its own.
extension Presenter {
  /// Appends the presenter as lines of a `.state` file.
  ///
  /// Only between two steps. Decisions that are not on the log yet are in it, but for words: the
  /// readers that they were for are gone when somebody reads this.
  public func writeRecord(into out: inout ByteBuffer) {
    for part in RecordPart.allCases { addLines(of: part, to: &out) }
  }

  private func addLines(of part: RecordPart, to out: inout ByteBuffer) {
    switch part {
    case .rules: appendLine(part, to: &out) { rules.write(into: &$0) }
    case .session:
      var presenter = self
      var scribe = Scribe()
      presenter.recordSession(&scribe)
      appendLine(part, to: &out) { scribe.appendList(to: &$0) }
    case .item: for seq in waiting.seqs { addLine(part, waiting[seq], to: &out) }
    case .speaking: addLine(part, floor.speaking, to: &out)
    case .cut: addLine(part, floor.cuts, to: &out)
    case .past: addLine(part, floor.past.all, to: &out)
    case .served: addLine(part, floor.served, to: &out)
    case .loss: addLine(part, floor.outage.losses, to: &out)
    case .text: addLine(part, floor.lastText, to: &out)
    case .label: addLine(part, floor.lastLabel, to: &out)
    case .dialog: addLine(part, focus.dialog, to: &out)
    case .echo: addLine(part, floor.echoes.all, to: &out)
    case .outcome: for decision in decisions.unwritten { addLine(decision, to: &out) }
    // They stand among the outcomes.
    case .focus, .gesture, .calm: break
    case .action: addLine(part, Array(actions.all), to: &out)
    case .pause: addLine(part, waiting.quiet.pauses, to: &out)
    case .busy: addLine(part, pipeline.busy.rows, to: &out)
    case .storm: addLine(part, pipeline.storm.rows, to: &out)
    case .burst: addLine(part, pipeline.coalesce.rows, to: &out)
    case .memory: addLine(part, pipeline.duplicates.rows, to: &out)
    case .bucket: addLine(part, pipeline.rate.rows, to: &out)
    case .wish: addLine(part, focus.wishes, to: &out)
    case .screen: addLine(part, focus.screens, to: &out)
    case .alarm:
      let orders = RowOrders(pipeline)
      for (alarm, due, by) in waiting.alarms.all {
        guard let alarm = RecordedAlarm(alarm, due, by, orders) else { continue }
        addLine(part, alarm, to: &out)
      }
    }
  }

  private func addLine(_ decision: Decision, to out: inout ByteBuffer) {
    switch decision {
    case .outcome(let outcome): addLine(.outcome, RecordedOutcome(outcome), to: &out)
    case .focus(let move): addLine(.focus, move, to: &out)
    case .gesture(let gesture): addLine(.gesture, gesture, to: &out)
    case .calm: appendLine(.calm, to: &out) { Scribe().appendList(to: &$0) }
    case .deliver, .silence: break
    }
  }

  // MARK: Lines

  private func addLine<Value: Recorded>(
    _ part: RecordPart,
    _ value: Value?,
    to out: inout ByteBuffer
  ) {
    guard var value else { return }
    var scribe = Scribe()
    value.record(&scribe)
    appendLine(part, to: &out) { scribe.appendList(to: &$0) }
  }

  private func addLine<Value: Recorded>(
    _ part: RecordPart,
    _ values: [Value],
    to out: inout ByteBuffer
  ) {
    for value in values { addLine(part, value, to: &out) }
  }

  private func addLine<Value: Recorded>(
    _ part: RecordPart,
    _ table: BoundedTable<Key, Value>,
    to out: inout ByteBuffer
  ) {
    for place in table.inOrder {
      addLine(part, RecordedRow(key: table.key(at: place), value: table[place]), to: &out)
    }
  }

  private func appendLine(
    _ part: RecordPart,
    to out: inout ByteBuffer,
    _ value: (inout ByteBuffer) -> Void
  ) {
    let start = out.count
    out.append("{\"state\":{\"presenter\":{")
    out.append(member: "part", part.rawValue)
    out.append(member: "is")
    value(&out)
    out.append("}}")
    out.seal(from: start)
  }

  // MARK: Back

  /// Takes such a line back; false where it is none.
  public mutating func restore(_ line: JSONDocument) -> Bool {
    guard let state = line.member("state", of: line.root), line.kind(state) == .object,
      let presenter = line.member("presenter", of: state), line.kind(presenter) == .object,
      let name = line.string("part", of: presenter), let value = line.member("is", of: presenter)
    else { return model.restore(line) }
    // A part of the future is passed over.
    guard let part = RecordPart(rawValue: name) else { return Scribe(value, of: line).isDone }
    if part == .rules {
      guard let rules = RuleSet(line, value) else { return false }
      self.rules = rules
      return true
    }
    var scribe = Scribe(value, of: line)
    restore(part, &scribe)
    return scribe.isDone
  }

  private mutating func restore(_ part: RecordPart, _ scribe: inout Scribe) {
    switch part {
    case .rules: break
    case .session: recordSession(&scribe)
    case .item: waiting.restore(item(&scribe))
    case .speaking:
      var speech: Speaking = read(&scribe)
      speech.item.treatment = rules.treatment(of: speech.item.facts)
      floor.speaking = speech
    case .cut:
      var cut: Cut = read(&scribe)
      cut.item.treatment = rules.treatment(of: cut.item.facts)
      floor.cuts.append(cut)
    case .past:
      var past: PastDelivery = read(&scribe)
      past.item.treatment = rules.treatment(of: past.item.facts)
      floor.past.keep(past)
    case .served: floor.served.append(read(&scribe))
    case .loss: floor.outage.putBack(read(&scribe))
    case .text: floor.lastText = item(&scribe)
    case .label: floor.lastLabel = item(&scribe)
    case .dialog: focus.dialog = read(&scribe)
    case .echo:
      var echo: Echoes.Echo = read(&scribe)
      echo.item.treatment = rules.treatment(of: echo.item.facts)
      floor.echoes.keep(echo)
    case .outcome:
      let recorded: RecordedOutcome = read(&scribe)
      decide(.outcome(recorded.outcome))
    case .focus: decide(.focus(read(&scribe)))
    case .gesture: decide(.gesture(read(&scribe)))
    case .calm: decide(.calm)
    case .action: actions.note(read(&scribe))
    case .pause: waiting.quiet.pauses.append(read(&scribe))
    case .busy: restoreRow(&scribe) { pipeline.busy.putBack($0, $1) }
    case .storm: restoreRow(&scribe) { pipeline.storm.putBack($0, $1) }
    case .burst: restoreRow(&scribe) { pipeline.coalesce.putBack($0, $1) }
    case .memory: restoreRow(&scribe) { pipeline.duplicates.putBack($0, $1) }
    case .bucket: restoreRow(&scribe) { pipeline.rate.putBack($0, $1) }
    case .wish: restoreRow(&scribe) { focus.wishes.restore($0, $1) }
    case .screen: restoreRow(&scribe) { focus.screens.restore($0, $1) }
    case .alarm:
      let alarm: RecordedAlarm = read(&scribe)
      if let known = alarm.alarm { waiting.alarms.set(known, at: alarm.due, by: alarm.by) }
    }
  }

  private func read<Value: Recorded>(_ scribe: inout Scribe) -> Value {
    var value = Value.blank
    value.record(&scribe)
    return value
  }

  private func item(_ scribe: inout Scribe) -> Item {
    var item: Item = read(&scribe)
    item.treatment = rules.treatment(of: item.facts)
    return item
  }

  private func restoreRow<Value: Recorded>(
    _ scribe: inout Scribe,
    _ insert: (Key, Value) -> Void
  ) {
    let row: RecordedRow<Value> = read(&scribe)
    insert(row.key, row.value)
  }

  private mutating func recordSession(_ scribe: inout Scribe) {
    scribe.transcribe(&now)
    scribe.transcribe(&decisions.tickets)
    scribe.transcribe(&pace.perCharacter)
    scribe.transcribe(&pace.grace)
    scribe.transcribe(&pace.language)
    scribe.transcribe(&pace.speaksHints)
    scribe.transcribe(&pace.speaksStates)
    scribe.transcribe(&focus.navigatedAt)
    scribe.transcribe(&focus.navigatedBy)
    scribe.transcribe(&focus.movedAt)
    scribe.transcribe(&focus.gestures)
    scribe.transcribe(&focus.media)
    scribe.transcribe(&focus.owesSummary)
    scribe.transcribe(&floor.readers)
    scribe.transcribe(&waiting.quiet.pausedAt)
    scribe.transcribe(&waiting.quiet.disturbance)
  }
}

/// A row of a table with its key.
private struct RecordedRow<Value: Recorded>: Recorded {
  var key: Key
  var value: Value

  static var blank: Self { RecordedRow(key: .blank, value: .blank) }

  mutating func record(_ scribe: inout Scribe) {
    scribe.transcribe(&key)
    scribe.transcribe(&value)
  }
}
