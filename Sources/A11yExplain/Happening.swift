// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPresenter
package import A11yWire

/// The facts of an entry that explaining it needs, without any of its texts.
package struct Happening: Sendable, Equatable {
  package var seq: Seq
  package var mono: Int64
  package var type: String
  /// The app of the event; for the bus's own entries, the app that they are about.
  package var app: String
  package var uid: Int64
  package var isOwn = false
  package var priority: String?
  package var speechClass: String?
  package var hasElement = false
  /// The entries that the event refers to.
  package var of: [Seq] = []
  package var by: Seq?
  /// The action that has led to it, as the event states.
  package var cause: Seq?
  /// The word that tells events of its type apart: of an action the gesture, of a report its state,
  /// of a status whether a reader runs.
  package var word: String?
  /// The program that presents a delivery in the place of its reader, as that reports.
  package var presenter: String?
  /// The words of its delivery that were heard, as a reader reports that was cut off.
  package var heardWords: Int?

  package init(seq: Seq, mono: Int64, type: String, app: String, uid: Int64) {
    self.seq = seq
    self.mono = mono
    self.type = type
    self.app = app
    self.uid = uid
  }

  /// Reads the facts off an entry.
  package init?(_ entry: JSONDocument, _ seq: Seq) {
    let envelope = EntryView(of: entry)
    guard let event = envelope.event, let type = entry.string("type", of: event),
      let mono = envelope.mono
    else { return nil }
    let isOwn = envelope.isOwn
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
    case EventType.speech.rawValue:
      word = entry.string("state", of: event)
      presenter = word == "elsewhere" ? entry.string("by", of: event) : nil
      heardWords = entry.string("reason", of: event).flatMap(Self.heardWords)
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

  /// Reads “after 2 of 6 words”: a count, so that no text outlives its event in a report.
  private static func heardWords(_ reason: String) -> Int? {
    let words = reason.split(separator: " ")
    guard words.count == 5, words[0] == "after", words[2] == "of", words[4] == "words" else {
      return nil
    }
    return Int(words[1])
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

  /// The entry that it is about; nil where it stands for itself.
  var subject: Seq? {
    switch own {
    case .deliver, .outcome, .silence, .gesture: return of.last
    case .focus, .seat, .opened, .closed, .rules, .client, .forgot, .forgotten, nil: break
    }
    return published?.has(.isAboutAnother) ?? false ? of.last : nil
  }

  /// Whether such an event ends in an outcome.
  package var ends: EventType.Ends { own == .focus ? .always : published?.row.ends ?? .never }

  /// Whether it can be the first effect of an action that the user hears.
  var isFeedback: Bool {
    if published == .announcement { return speechClass == "value" }
    return own == .focus || published?.has(.isFeedback) ?? false
  }
}

extension JSONDocument {
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

/// A delivery of an event to readers.
package struct Handover: Sendable, Equatable {
  package var seq: Seq
  package var mono: Int64
  package var isSilent = false
  package var isAgain = false
  package var isTruncated = false
  package var isBoundary = false
  /// The reader has said that it could not speak it.
  package var isLost = false
  package var earcon: String?
  /// The number of events that it tells of.
  package var count: Int64 = 1

  package init(seq: Seq, mono: Int64) {
    self.seq = seq
    self.mono = mono
  }

  init?(_ entry: JSONDocument, _ seq: Seq) {
    let envelope = EntryView(of: entry)
    guard let event = envelope.event, let mono = envelope.mono else { return nil }
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

extension JSONDocument {
  func says(_ name: StaticString, _ object: JSONIndex) -> Bool {
    member(name, of: object).map { kind($0) == .yes } ?? false
  }
}

/// All facts for a sentence about an entry.
package struct Account: Sendable, Equatable {
  /// Another event that has decided the end of the one at hand.
  package struct Other: Sendable, Equatable {
    package var happening: Happening
    /// The time of its last delivery before the one at hand had its outcome.
    package var deliveredAt: Int64?
    /// Its own result, where that is on record.
    package var result: String?
    /// The event is another app's, and the app that asks may not know of it.
    package var isHidden = false

    package init(_ happening: Happening) { self.happening = happening }
  }

  /// The condition of an event without an outcome.
  package enum Openness: Sendable, Equatable {
    /// The event waits, at this instant of the bus clock.
    case pending(Pending, now: Instant)
    /// The event does not wait any more.
    case over
    /// There was no presenter to ask.
    case unknown
  }

  /// The entry that the question was about.
  package var asked: Happening
  /// The event that this entry refers to, or the entry itself; nil where that is gone.
  package var event: Happening?
  package var ending: EventEnding?
  package var openness = Openness.over
  package var handovers: [Handover] = []
  package var other: Other?
  /// The user's action that has led to the event.
  package var action: Happening?
  /// The entries that tell the effect of an action.
  package var feedback: [Seq] = []
  /// The focus entry that the event has led to.
  package var focus: Seq?
  /// The delivery that was cut off, and the words of it that were heard.
  var cut: (delivery: Seq, words: Int)? {
    get { cutDelivery.map { ($0, cutWords) } }
    set { (cutDelivery, cutWords) = (newValue?.delivery, newValue?.words ?? 0) }
  }
  private var cutDelivery: Seq?
  private var cutWords = 0
  /// The program to which a reader has left it.
  package var presenter: String?
  /// The last words that were heard of it.
  package var lastWords: String?

  package init(asked: Happening, event: Happening?) {
    self.asked = asked
    self.event = event
  }
}
