// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
public import A11yWire

// The presenter written down, so that another process can go on where this one was: the model apart,
// which is long and has a way of its own.
extension Presenter {
  /// Appends the presenter as lines of a `.state` file.
  ///
  /// Only between two steps. What was decided and is not on the log yet is in it, but for words: whom
  /// they were for is not there any more when somebody reads this.
  public func writeRecord(into out: inout ByteBuffer) {
    var presenter = self
    line("rules", into: &out) { $0.append(rules) }
    write("session", into: &out) { presenter.passSession(&$0) }
    for seq in items.keys.sorted() {
      guard var item = items[seq] else { continue }
      write("item", into: &out) { $0.pass(&item) }
    }
    if var speaking { write("speaking", into: &out) { $0.pass(&speaking) } }
    for var cut in cuts { write("cut", into: &out) { $0.pass(&cut) } }
    if var item = lastText { write("text", into: &out) { $0.pass(&item) } }
    if var item = lastLabel { write("label", into: &out) { $0.pass(&item) } }
    for var echo in echoes.all { write("echo", into: &out) { $0.pass(&echo) } }
    for decision in unwritten {
      switch decision {
      case .outcome(var outcome): write("outcome", into: &out) { $0.pass(&outcome) }
      case .focus(var move): write("focus", into: &out) { $0.pass(&move) }
      case .gesture(var gesture): write("gesture", into: &out) { $0.pass(&gesture) }
      case .calm: write("calm", into: &out) { _ in }
      case .deliver, .silence: continue
      }
    }
    for var action in actions.all { write("action", into: &out) { $0.pass(&action) } }
    for var pause in pauses { write("pause", into: &out) { $0.pass(&pause) } }
    write(busies, "busy", into: &out) {
      $0.pass(&$1)
    } _: {
      $0.pass(&$1)
    }
    write(storms, "storm", into: &out) {
      $0.pass(&$1)
    } _: {
      $0.pass(&$1)
    }
    write(windows, "window", into: &out) {
      $0.pass(&$1)
    } _: {
      $0.pass(&$1)
    }
    write(memory, "memory", into: &out) {
      $0.pass(&$1)
    } _: {
      $0.pass(&$1)
    }
    write(buckets, "bucket", into: &out) {
      $0.pass(&$1)
    } _: {
      $0.pass(&$1)
    }
    write(focus.wishes, "wish", into: &out) {
      $0.pass(&$1)
    } _: {
      $0.pass(&$1)
    }
    write(focus.screens, "screen", into: &out) {
      $0.pass(&$1)
    } _: {
      $0.pass(&$1)
    }
    let orders = Orders(
      windows: windows.orders,
      buckets: buckets.orders,
      storms: storms.orders,
      busies: busies.orders
    )
    for (alarm, due, by) in alarms.all {
      guard var told = alarm.told(orders) else { continue }
      var (due, by) = (due, by)
      write("alarm", into: &out) {
        $0.pass(&told.kind)
        $0.pass(&told.number)
        $0.pass(&due)
        $0.pass(&by)
      }
    }
  }

  /// Takes such a line back; false where it is none.
  public mutating func restore(_ line: JSONDocument) -> Bool {
    guard let state = line.member("state", of: line.root), line.kind(state) == .object,
      let presenter = line.member("presenter", of: state), line.kind(presenter) == .object,
      let part = line.string("part", of: presenter), let value = line.member("is", of: presenter)
    else { return model.restore(line) }
    if part == "rules" {
      guard let rules = RuleSet(line, value) else { return false }
      self.rules = rules
      return true
    }
    var scribe = Scribe(value, of: line)
    restore(part, &scribe)
    return scribe.isDone
  }

  private mutating func restore(_ part: String, _ scribe: inout Scribe) {
    switch part {
    case "session": passSession(&scribe)
    case "item":
      var item = blank
      scribe.pass(&item)
      item.treatment = rules.treatment(of: item.facts)
      tally.count(item, 1)
      if item.isInLine { line.join(item) }
      items[item.seq] = item
    case "speaking":
      var speech = Speaking(item: blank, ticket: 0, seq: nil, since: 0)
      scribe.pass(&speech)
      speech.item.treatment = rules.treatment(of: speech.item.facts)
      speaking = speech
    case "cut":
      var cut = Cut(
        item: blank,
        ticket: 0,
        seq: nil,
        since: 0,
        at: 0,
        result: nil,
        by: nil,
        rule: ""
      )
      scribe.pass(&cut)
      cut.item.treatment = rules.treatment(of: cut.item.facts)
      cuts.append(cut)
    case "text": lastText = echo(&scribe)
    case "label": lastLabel = echo(&scribe)
    case "echo":
      var echo = Echoes.Echo(item: blank, ticket: 0, seq: nil)
      scribe.pass(&echo)
      echo.item.treatment = rules.treatment(of: echo.item.facts)
      echoes.keep(echo)
    case "outcome":
      var outcome = Outcome.blank
      scribe.pass(&outcome)
      decide(.outcome(outcome))
    case "focus":
      var move = FocusMove(app: nil, window: nil, element: nil, by: nil, reason: "", cause: nil)
      scribe.pass(&move)
      decide(.focus(move))
    case "gesture":
      var gesture = Gesture.blank
      scribe.pass(&gesture)
      decide(.gesture(gesture))
    case "calm": decide(.calm)
    case "action":
      var action = Actions.Action(
        seq: .none,
        mono: 0,
        app: AppKey(uid: 0, app: Name("")),
        window: nil,
        element: nil
      )
      scribe.pass(&action)
      actions.note(action)
    case "pause":
      var pause = Pause(conn: 0, app: AppKey(uid: 0, app: Name("")), count: 0)
      scribe.pass(&pause)
      pauses.append(pause)
    case "busy":
      restore(&busies, &scribe, .blank, Busy(until: 0, rule: "")) {
        $0.pass(&$1)
      } _: {
        $0.pass(&$1)
      }
    case "storm":
      restore(&storms, &scribe, .blank, Storm(element: Name(""), at: 0, rule: "")) {
        $0.pass(&$1)
      } _: {
        $0.pass(&$1)
      }
    case "window":
      restore(&windows, &scribe, .blank, Window(lastAt: 0, pending: nil, since: nil)) {
        $0.pass(&$1)
      } _: {
        $0.pass(&$1)
      }
    case "memory":
      restore(&memory, &scribe, .blank, Memory()) {
        $0.pass(&$1)
      } _: {
        $0.pass(&$1)
      }
    case "bucket":
      restore(&buckets, &scribe, .blank, Bucket(full: 0, interval: 0, burst: 0)) {
        $0.pass(&$1)
      } _: {
        $0.pass(&$1)
      }
    case "wish":
      restore(&focus.wishes, &scribe, .blank, Bucket(full: 0, interval: 0, burst: 0)) {
        $0.pass(&$1)
      } _: {
        $0.pass(&$1)
      }
    case "screen":
      restore(&focus.screens, &scribe, .blank, 0) {
        $0.pass(&$1)
      } _: {
        $0.pass(&$1)
      }
    case "alarm":
      var (kind, number, due, by) = ("", Int64(0), Int64(0), Seq.none)
      scribe.pass(&kind)
      scribe.pass(&number)
      scribe.pass(&due)
      scribe.pass(&by)
      if let alarm = Alarms.Alarm(kind, number) { alarms.set(alarm, at: due, by: by) }
    default: break
    }
  }

  private mutating func passSession(_ scribe: inout Scribe) {
    scribe.pass(&now)
    scribe.pass(&tickets)
    scribe.pass(&pace.perCharacter)
    scribe.pass(&pace.grace)
    scribe.pass(&pace.language)
    scribe.pass(&pace.speaksHints)
    scribe.pass(&focus.navigatedAt)
    scribe.pass(&focus.navigatedBy)
    scribe.pass(&focus.movedAt)
    scribe.pass(&focus.gestures, Route.blank) { $0.pass(&$1) }
    scribe.pass(&focus.media, Model.Spot.blank) { $0.pass(&$1) }
    scribe.pass(&focus.owesSummary)
    scribe.pass(&readers)
    scribe.pass(&disturbance)
  }

  private var blank: Item {
    Item(
      .announcement,
      seq: .none,
      mono: 0,
      facts: .blank,
      treatment: rules.treatment(of: .blank),
      text: .nothing,
      mode: .all
    )
  }

  private func echo(_ scribe: inout Scribe) -> Item {
    var item = blank
    scribe.pass(&item)
    item.treatment = rules.treatment(of: item.facts)
    return item
  }

  // MARK: Lines

  private func line(
    _ part: String,
    into out: inout ByteBuffer,
    _ value: (inout ByteBuffer) -> Void
  ) {
    let start = out.count
    out.append("{\"state\":{\"presenter\":{")
    out.append(member: "part", part)
    out.append(member: "is")
    value(&out)
    out.append("}}")
    out.seal(from: start)
  }

  private func write(
    _ part: String,
    into out: inout ByteBuffer,
    _ value: (inout Scribe) -> Void
  ) {
    var scribe = Scribe()
    value(&scribe)
    line(part, into: &out) { scribe.write(into: &$0) }
  }

  private func write<K, V>(
    _ table: BoundedTable<K, V>,
    _ part: String,
    into out: inout ByteBuffer,
    _ passKey: (inout Scribe, inout K) -> Void,
    _ passValue: (inout Scribe, inout V) -> Void
  ) {
    for place in table.inOrder {
      var (key, value) = (table.key(at: place), table[place])
      write(part, into: &out) {
        passKey(&$0, &key)
        passValue(&$0, &value)
      }
    }
  }

  private func restore<K, V>(
    _ table: inout BoundedTable<K, V>,
    _ scribe: inout Scribe,
    _ someKey: K,
    _ someValue: V,
    _ passKey: (inout Scribe, inout K) -> Void,
    _ passValue: (inout Scribe, inout V) -> Void
  ) {
    var (key, value) = (someKey, someValue)
    passKey(&scribe, &key)
    passValue(&scribe, &value)
    guard table.place(of: key) == nil, table.count < table.bound else { return }
    _ = table.insert(key, value)
  }
}

/// The rows of each table, counted in the order in which they are written: places mean nothing to
/// another process.
private struct Orders {
  let windows: [Int: Int64]
  let buckets: [Int: Int64]
  let storms: [Int: Int64]
  let busies: [Int: Int64]
}

extension BoundedTable {
  fileprivate var orders: [Int: Int64] {
    var orders: [Int: Int64] = [:]
    for (order, place) in inOrder.enumerated() { orders[place] = Int64(order) }
    return orders
  }
}

extension Alarms.Alarm {
  /// Its name and a number that means the same to whoever reads it back.
  fileprivate func told(_ orders: Orders) -> (kind: String, number: Int64)? {
    switch self {
    case .expiry(let seq): ("expiry", seq.number)
    case .release(let seq): ("release", seq.number)
    case .window(let place): orders.windows[place].map { ("window", $0) }
    case .bucket(let place): orders.buckets[place].map { ("bucket", $0) }
    case .storm(let place): orders.storms[place].map { ("storm", $0) }
    case .busy(let place): orders.busies[place].map { ("busy", $0) }
    case .estimate: ("estimate", 0)
    case .cut(let seq): ("cut", seq.number)
    case .again(let seq): ("again", seq.number)
    case .grace: ("grace", 0)
    case .reading: ("reading", 0)
    case .pause(let conn): ("pause", conn)
    case .gesture(let seq): ("gesture", seq.number)
    case .apps: ("apps", 0)
    case .disturbance: ("disturbance", 0)
    }
  }

  fileprivate init?(_ kind: String, _ number: Int64) {
    switch kind {
    case "expiry": self = .expiry(Seq(number))
    case "release": self = .release(Seq(number))
    case "window": self = .window(Int(number))
    case "bucket": self = .bucket(Int(number))
    case "storm": self = .storm(Int(number))
    case "busy": self = .busy(Int(number))
    case "estimate": self = .estimate
    case "cut": self = .cut(Seq(number))
    case "again": self = .again(Seq(number))
    case "grace": self = .grace
    case "reading": self = .reading
    case "pause": self = .pause(number)
    case "gesture": self = .gesture(Seq(number))
    case "apps": self = .apps
    case "disturbance": self = .disturbance
    default: return nil
    }
  }
}

extension ByteBuffer {
  fileprivate mutating func append(_ rules: RuleSet) {
    rules.write(into: &self)
  }
}
