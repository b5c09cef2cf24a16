// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPresenter
internal import A11yModel
package import A11yWire

/// What an entry is about, as far as somebody has to know it who explains it: no text that anybody
/// has said.
package struct Happening: Sendable, Equatable {
  package var seq: Seq
  package var mono: Int64
  package var type: String
  /// Whose it is; of the bus's own entries, whom they are about.
  package var app: String
  package var uid: Int64
  package var isOwn = false
  package var priority: String?
  package var speechClass: String?
  package var hasElement = false
  /// The entries that it refers to.
  package var of: [Seq] = []
  package var by: Seq?
  /// The action that has led to it, by its own account.
  package var cause: Seq?
  /// The word by which one of its type is told from another: of an action what the user did, of a
  /// report how far the reader is, of a status whether it runs.
  package var word: String?

  package init(seq: Seq, mono: Int64, type: String, app: String, uid: Int64) {
    self.seq = seq
    self.mono = mono
    self.type = type
    self.app = app
    self.uid = uid
  }

  /// Reads it off an entry.
  package init?(_ entry: JSONDocument, _ seq: Seq) {
    guard let event = entry.member("event", of: entry.root),
      let type = entry.string("type", of: event), let mono = entry.integer("mono", of: entry.root)
    else { return nil }
    let isOwn = entry.integer("conn", of: entry.root) == 0
    let subject = isOwn ? event : entry.root
    self.init(
      seq: seq,
      mono: mono,
      type: type,
      app: entry.string("app", of: subject) ?? "",
      uid: entry.integer("uid", of: subject) ?? 0
    )
    self.isOwn = isOwn
    priority = entry.string("priority", of: event)
    speechClass = entry.string("class", of: event)
    hasElement = entry.string("element", of: event) != nil
    of = entry.seqs("of", of: event)
    by = entry.seq("by", of: event)
    cause = entry.seq("cause", of: event)
    switch type {
    case EventType.action.rawValue: word = entry.string("action", of: event)
    case EventType.speech.rawValue: word = entry.string("state", of: event)
    case EventType.Own.focus.rawValue: word = entry.string("reason", of: event)
    case EventType.Own.gesture.rawValue:
      word = entry.string("name", of: event)
      of = entry.seqs("action", of: event)
    case EventType.voiceOverStatus.rawValue: word = Self.flag("running", entry, event)
    case EventType.handled.rawValue: word = Self.flag("handled", entry, event)
    case EventType.Own.silence.rawValue: word = Self.flag("hold", entry, event)
    default: break
    }
  }

  private static func flag(
    _ name: StaticString,
    _ entry: JSONDocument,
    _ event: JSONIndex
  ) -> String? {
    entry.member(name, of: event).map { entry.kind($0) == .yes ? "yes" : "no" }
  }

  package var published: EventType? { isOwn ? nil : EventType(rawValue: type) }

  package var own: EventType.Own? { EventType.Own(rawValue: type) }

  /// Whether both are of one app of one user.
  package func isOfSameApp(as other: Happening) -> Bool {
    app.utf8.elementsEqual(other.app.utf8) && uid == other.uid
  }

  /// The entry that it says something about, where it is not for itself that it is there.
  var subject: Seq? {
    switch own {
    case .deliver, .outcome, .silence, .gesture: return of.last
    case .focus, .opened, .closed, .rules, .client, .forgotten, nil: break
    }
    switch published {
    case .speech, .handled, .cancel: return of.last
    case .announcement, .layoutChanged, .screenChanged, .pageScrolled, .focusChanged,
      .voiceOverStatus, .elements, .window, .busy, .pause, .resume, .zoomFocusChanged,
      .contentSizeChanged, .action, .doNotDisturb, nil:
      return nil
    }
  }

  /// Whether it ends in an outcome.
  package enum Ends: Sendable {
    case always, sometimes, never
  }

  package var ends: Ends {
    if own == .focus { return .always }
    switch published {
    case .announcement, .layoutChanged, .screenChanged, .pageScrolled, .voiceOverStatus:
      return .always
    case .elements, .focusChanged, .action: return .sometimes
    case .window, .handled, .busy, .pause, .resume, .cancel, .zoomFocusChanged,
      .contentSizeChanged, .doNotDisturb, .speech, nil:
      return .never
    }
  }

  /// Whether it can be what an action has led to, and is heard before everything else about it.
  var isFeedback: Bool {
    switch published {
    case .screenChanged, .pageScrolled, .elements: true
    case .announcement: speechClass == "value"
    case .layoutChanged, .focusChanged, .voiceOverStatus, .window, .handled, .busy, .pause, .resume,
      .cancel, .zoomFocusChanged, .contentSizeChanged, .action, .doNotDisturb, .speech, nil:
      own == .focus
    }
  }
}

/// How an event has ended, as its outcome says.
package struct Ending: Sendable, Equatable {
  package var seq: Seq
  package var mono: Int64
  package var result: String
  package var by: Seq?
  package var rule: String
  package var why: Why

  package init(seq: Seq, mono: Int64, result: String, by: Seq?, rule: String, why: Why) {
    self.seq = seq
    self.mono = mono
    self.result = result
    self.by = by
    self.rule = rule
    self.why = why
  }

  /// Reads it off an outcome.
  package init?(_ entry: JSONDocument, _ seq: Seq) {
    guard let event = entry.member("event", of: entry.root),
      let result = entry.string("result", of: event),
      let mono = entry.integer("mono", of: entry.root)
    else { return nil }
    self.init(
      seq: seq,
      mono: mono,
      result: result,
      by: entry.seq("by", of: event),
      rule: entry.string("rule", of: event) ?? "",
      why: Why(entry, event)
    )
  }

  /// The result, where it is one that this version knows.
  package var known: Result? { Result(rawValue: result) }
}

/// That an event was given to the reader.
package struct Handover: Sendable, Equatable {
  package var seq: Seq
  package var mono: Int64
  package var isSilent = false
  package var isAgain = false
  package var isTruncated = false
  package var isBoundary = false
  package var earcon: String?
  /// How many events it tells of.
  package var count: Int64 = 1

  package init(seq: Seq, mono: Int64) {
    self.seq = seq
    self.mono = mono
  }

  init?(_ entry: JSONDocument, _ seq: Seq) {
    guard let event = entry.member("event", of: entry.root),
      let mono = entry.integer("mono", of: entry.root)
    else { return nil }
    self.init(seq: seq, mono: mono)
    isSilent = entry.member("speak", of: event).map { entry.count($0) == 0 } ?? true
    isAgain = entry.says("again", event)
    isTruncated = entry.says("truncated", event)
    isBoundary = entry.says("boundary", event)
    earcon = entry.string("earcon", of: event)
    if let summary = entry.member("summary", of: event), entry.kind(summary) == .object {
      count = entry.integer("count", of: summary) ?? 1
    }
  }
}

extension Why {
  /// Reads the numbers off an outcome; what is not there says nothing.
  init(_ entry: JSONDocument, _ event: JSONIndex) {
    self.init()
    guard let value = entry.member("why", of: event), entry.kind(value) == .object else { return }
    func microseconds(_ name: StaticString) -> Int64? {
      // More than anything lasts, and few enough that they can be reckoned with.
      guard let stated = entry.integer(name, of: value), (0...1 << 50).contains(stated) else {
        return nil
      }
      return stated * 1_000
    }
    waited = microseconds("waited_ms")
    window = microseconds("window_ms")
    ttl = microseconds("ttl_ms")
    due = entry.integer("due", of: value)
    heard = entry.integer("heard_ms", of: value)
    rate = entry.string("rate", of: value).flatMap(Why.Rate.init)
    isEstimated = entry.says("estimated", value)
    isElsewhere = entry.says("elsewhere", value)
    isSilent = entry.says("silent", value)
    isSensitive = entry.says("sensitive", value)
    reason = entry.string("reason", of: value).map(Reason.init)
    heldBy = entry.string("held_by", of: value).flatMap(Obstacle.init)
    isFromEvent = entry.string("from", of: value) == "event"
    count = entry.integer("count", of: value)
    if let focus = entry.member("focus", of: value), entry.kind(focus) == .object,
      let result = entry.string("result", of: focus).flatMap(FocusAnswer.Result.init)
    {
      self.focus = FocusAnswer(
        result,
        reason: entry.string("reason", of: focus).map(Reason.init),
        seq: entry.seq("seq", of: focus)
      )
    }
    if let place = entry.member("suggestion", of: value), let app = entry.appKey(event),
      let window = entry.name("window", of: place), let element = entry.name("element", of: place)
    {
      suggestion = Model.Spot(app: app, window: window, element: element)
    }
  }
}

extension JSONDocument {
  fileprivate func says(_ name: StaticString, _ object: JSONIndex) -> Bool {
    member(name, of: object).map { kind($0) == .yes } ?? false
  }

  /// The seqs in a member that is one, or a list of them.
  fileprivate func seqs(_ name: StaticString, of object: JSONIndex) -> [Seq] {
    guard let value = member(name, of: object) else { return [] }
    guard kind(value) == .list else {
      return integer(value).flatMap(Seq.init(stated:)).map { [$0] } ?? []
    }
    var seqs: [Seq] = []
    var item = value + 1
    while item < end(value) {
      if let seq = integer(item).flatMap(Seq.init(stated:)) { seqs.append(seq) }
      item = end(item)
    }
    return seqs
  }
}
