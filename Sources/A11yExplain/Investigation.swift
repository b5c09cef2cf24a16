// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yModel
package import A11yPresenter
package import A11yWire

/// Finds out what became of an entry, from the log alone.
///
/// An investigation reads nothing itself: it names the run of entries to be shown next, notes one
/// after the other while it wants more, and moves on when the run is over. So a daemon can go
/// through a log in slices, and a program without a daemon through files. Only seqs and numbers are
/// kept; the entries that the answer quotes are read last, so that nothing is told that was
/// forgotten meanwhile.
package struct Investigation: Sendable {
  /// Entries from one to another, both included.
  package typealias Run = (from: Seq, through: Seq)

  enum Phase: Sendable {
    /// The entry that was asked about.
    case asked
    /// The entry that it says something of, and the steps that may still be gone.
    case subject(Seq, left: Int)
    case action(Seq)
    /// From the event on, or the action before it.
    case story(from: Seq)
    /// Only the presenter knows whether the event waits still.
    case presenter
    /// The event that has decided the end.
    case other(Seq)
    /// The entries that the answer quotes.
    case quote, quoteOutcome, quoteSpeech(Seq)
    case done
  }

  package let seq: Seq
  /// The entries that may be told of to whoever asks; nil for all.
  let confinement: Confinement?
  var through: Seq
  var phase = Phase.asked
  var account: Account?
  var relatives: [Relative] = []
  var quoted: [UInt8] = []
  var quotedOutcome: [UInt8] = []
  var quotedWhy: [UInt8] = []
  var hasAskedPresenter = false
  /// Entries of the other event's story that were looked at.
  var looked = 0
  /// Why there is no explanation.
  package private(set) var refusal: Refusal?

  /// From an entry to the event that it tells of it takes so many steps at most: a report, its
  /// deliver, and the event of that.
  static let steps = 3
  /// An action is looked for so many entries before what it has led to; both come within a second,
  /// or the app says so long after.
  static let reachBack: Int64 = 2_000
  /// The microseconds in which the effects of an action come: a second, and another for an app that
  /// was asked to handle it.
  ///
  /// The end of the action may come later.
  static let actionReach: Int64 = 2_000_000
  /// So many entries are looked through for what became of the other event.
  static let otherReach = 20_000
  /// Relatives in an answer; of those that a summary counts there may be any number.
  static let most = 128
  package static let mostStoodFor = 32
  /// Words that show where speech was cut off.
  static let wordsTold = 4

  /// About `seq`, as far as the log went when it was asked.
  package init(_ seq: Seq, through last: Seq, within confinement: Confinement?) {
    self.seq = seq
    through = last
    self.confinement = confinement
  }

  // MARK: Being driven

  /// The run of entries that comes next; nil when there is an answer, or the presenter is to be
  /// asked.
  package var run: Run? {
    switch phase {
    case .asked, .quote: (seq, seq)
    case .subject(let seq, _), .action(let seq): (seq, seq)
    case .story(let from): (from, through)
    case .other(let seq): (seq, through)
    case .quoteOutcome: account?.ending.map { ($0.seq, $0.seq) }
    case .quoteSpeech(let delivery): (delivery, delivery)
    case .presenter, .done: nil
    }
  }

  /// The event of which only the presenter knows whether it waits.
  package var openEvent: Seq? {
    guard case .presenter = phase else { return nil }
    return account?.event?.seq
  }

  /// Notes the next entry of the run; false where no more of it is wanted.
  package mutating func note(_ entry: JSONDocument, _ seq: Seq) -> Bool {
    switch phase {
    case .asked: return noteAsked(entry, seq)
    case .subject(let subject, _):
      if seq == subject, let happening = Happening(entry, seq), happening.own != .forgotten,
        isOpen(entry) || isAsApp && happening.published == .action
      {
        account?.event = happening
      }
      return false
    case .action(let action):
      if seq == action, let happening = Happening(entry, seq), happening.published == .action {
        account?.action = happening
        relate(seq, .cause, entry)
      }
      return false
    case .story: return noteStory(entry, seq)
    case .other(let other): return noteOther(entry, seq, other)
    case .quote:
      if seq == self.seq, Happening(entry, seq)?.own != .forgotten { quoted = entry.text.array }
      return false
    case .quoteOutcome:
      guard seq == account?.ending?.seq, isOpen(entry) else { return false }
      quotedOutcome = entry.text.array
      if let event = EntryView(of: entry).event, let why = entry.member("why", of: event) {
        var out = ByteBuffer(capacity: 256)
        entry.copyAll(why, into: &out)
        quotedWhy = out.bytes.array
      }
      return false
    case .quoteSpeech(let delivery):
      guard seq == delivery, isOpen(entry) else { return false }
      let words = lastWords(of: entry)
      account?.lastWords = words
      return false
    case .presenter, .done: return false
    }
  }

  /// Whether whoever asks may know what is in an entry.
  private func isOpen(_ entry: JSONDocument) -> Bool {
    confinement.map { EntryView(of: entry).isOpen(to: $0) } ?? true
  }

  /// An app asks; it may know of the action that has led to its own event.
  private var isAsApp: Bool { if case .app = confinement { true } else { false } }

  /// The last words of a delivery that were heard; nil where its text is hidden or gone.
  private func lastWords(of entry: JSONDocument) -> String? {
    guard let count = account?.cut?.words, let event = EntryView(of: entry).event,
      let runs = entry.member("speak", of: event), entry.kind(runs) == .list
    else { return nil }
    var text = ""
    var run = runs + 1
    while run < entry.end(runs) {
      guard let words = entry.string("text", of: run) else { return nil }
      text += words
      run = entry.end(run)
    }
    let words = text.split(whereSeparator: \.isWhitespace).prefix(count).suffix(Self.wordsTold)
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  /// Moves on, for the run is over, or no more of it is wanted.
  package mutating func endRun() {
    switch phase {
    case .asked:
      guard let asked = account?.asked else {
        gone()
        return
      }
      follow(asked, left: Self.steps)
    case .subject(let subject, let left):
      guard let found = account?.event, found.seq == subject else {
        account?.event = nil
        phase = .quote
        return
      }
      follow(found, left: left)
    case .action: beginStory()
    case .story: endStory()
    case .other: phase = .quote
    case .quote:
      guard !quoted.isEmpty else {
        gone()
        return
      }
      phase = account?.ending == nil ? .done : .quoteOutcome
    case .quoteOutcome: phase = account?.cut.map { .quoteSpeech($0.delivery) } ?? .done
    case .quoteSpeech: phase = .done
    case .presenter, .done: break
    }
  }

  /// Notes what the presenter knows of the event that has no outcome up to `last`.
  package mutating func notePending(_ pending: Pending?, now: Instant, last: Seq) {
    guard case .presenter = phase else { return }
    let next = through.next
    through = max(through, last)
    if let pending {
      account?.openness = .pending(pending, now: now)
    } else if !hasAskedPresenter, next <= last {
      // It has ended since the question came.
      hasAskedPresenter = true
      phase = .story(from: next)
      return
    }
    phase = .quote
  }

  /// Goes on without a presenter to ask.
  package mutating func noteNoPresenter() {
    guard case .presenter = phase else { return }
    account?.openness = .unknown
    phase = .quote
  }

  private mutating func gone() {
    refusal = Refusal(
      .seqUnknown,
      field: "seq",
      "entry \(seq.number) is not in the log any more"
    )
    refusal?.last = through
    phase = .done
  }

  // MARK: Finding the event

  private mutating func noteAsked(_ entry: JSONDocument, _ seq: Seq) -> Bool {
    guard seq == self.seq, let happening = Happening(entry, seq), happening.own != .forgotten
    else { return false }
    if let confinement, !isOpen(entry) {
      refusal = Refusal(.roleDenied, field: "seq", confinement.refusal(of: seq))
      phase = .done
      return false
    }
    account = Account(asked: happening, event: happening)
    return false
  }

  /// Goes from an entry to what it says something of, and at last to the story of that.
  private mutating func follow(_ happening: Happening, left: Int) {
    if case .done = phase { return }
    if let subject = happening.subject, left > 0, subject < happening.seq {
      relatives.append(Relative(seq: subject, relation: .about))
      phase = .subject(subject, left: left - 1)
      return
    }
    if happening.subject != nil || happening.ends == .never {
      // It speaks of nothing that ever ends.
      phase = .quote
    } else if let cause = happening.cause, cause < happening.seq {
      phase = .action(cause)
    } else {
      beginStory()
    }
  }
}

// The story of one event: its deliveries, its end, and what came of it.
extension Investigation {
  mutating func beginStory() {
    guard let event = account?.event else {
      phase = .quote
      return
    }
    var from = event.seq
    if let action = account?.action?.seq, event.seq.number - action.number <= Self.reachBack {
      from = action
    }
    phase = .story(from: from)
  }

  mutating func noteStory(_ entry: JSONDocument, _ seq: Seq) -> Bool {
    guard let event = account?.event, let happening = Happening(entry, seq) else { return true }
    if event.published == .action, isOver(happening.mono - event.mono) { return false }
    switch happening.own {
    case .deliver:
      guard happening.of.contains(event.seq), let handover = Handover(entry, seq) else { break }
      account?.handovers.append(handover)
      relate(seq, .deliver, entry)
    case .silence: if hasHandover(happening.of) { relate(seq, .silence, entry) }
    case .outcome:
      guard let ending = EventEnding(entry, seq) else { break }
      if happening.of.contains(event.seq) {
        account?.ending = ending
        relate(seq, .outcome, entry)
        // The effects of an action may come behind its outcome.
        return event.published == .action
      }
      if ending.by == event.seq, let of = happening.of.last { standFor(of, ending, entry) }
    case .gesture:
      if happening.of.contains(event.seq) { relate(seq, .gesture, entry) }
    case .focus:
      if seq == event.seq { break }
      if happening.by == event.seq {
        account?.focus = seq
        relate(seq, .focus, entry)
      } else if happening.cause == event.seq {
        noteFeedback(seq, entry)
      } else if let action = account?.action?.seq, seq < event.seq,
        happening.by == action || happening.cause == action
      {
        noteFeedback(seq, entry)
      }
    case .seat, .opened, .closed, .rules, .client, .forgot, .forgotten, nil:
      notePublished(happening, entry)
    }
    return true
  }

  /// Whether nothing of an action can come any more, so many microseconds after it.
  ///
  /// One that apps were asked to do has an end, and each of them a second, or, where the bus was
  /// away, more.
  private func isOver(_ microseconds: Int64) -> Bool {
    microseconds > Self.actionReach
      && (account?.ending != nil || !relatives.contains { $0.relation == .gesture })
  }

  private mutating func notePublished(_ happening: Happening, _ entry: JSONDocument) {
    guard let event = account?.event, happening.seq != event.seq else { return }
    switch happening.published {
    case .speech:
      guard hasHandover(happening.of) else { break }
      relate(happening.seq, .speech, entry)
      if let presenter = happening.presenter { account?.presenter = presenter }
      if happening.word == "lost" { noteLoss(of: happening.of) }
      if let delivery = happening.of.last, let words = happening.heardWords {
        account?.cut = (delivery, words)
      }
    case .handled:
      let gestures = relatives.filter { $0.relation == .gesture }.map(\.seq)
      if happening.of.contains(where: gestures.contains) { relate(happening.seq, .handled, entry) }
    default:
      guard let cause = happening.cause else { return }
      if cause == event.seq {
        if happening.isFeedback {
          noteFeedback(happening.seq, entry)
        } else {
          relate(happening.seq, .consequence, entry)
        }
      } else if cause == account?.action?.seq, happening.isFeedback, happening.seq < event.seq {
        noteFeedback(happening.seq, entry)
      }
    }
  }

  private mutating func noteFeedback(_ seq: Seq, _ entry: JSONDocument) {
    account?.feedback.append(seq)
    relate(seq, .feedback, entry)
  }

  private mutating func noteLoss(of seqs: [Seq]) {
    guard let handovers = account?.handovers,
      let place = handovers.firstIndex(where: { seqs.contains($0.seq) })
    else { return }
    account?.handovers[place].isLost = true
  }

  private func hasHandover(_ seqs: [Seq]) -> Bool {
    account?.handovers.contains { seqs.contains($0.seq) } ?? false
  }

  mutating func endStory() {
    guard let event = account?.event, let ending = account?.ending else {
      phase = account?.event?.ends == .never ? .quote : .presenter
      return
    }
    guard let by = ending.by, by != event.seq, by < through.next else {
      phase = .quote
      return
    }
    relatives.append(Relative(seq: by, relation: Relation(by: ending.known)))
    phase = .other(by)
  }

  mutating func noteOther(_ entry: JSONDocument, _ seq: Seq, _ by: Seq) -> Bool {
    guard let ending = account?.ending, let happening = Happening(entry, seq) else { return true }
    if seq == by {
      guard happening.own != .forgotten else { return false }
      account?.other = Account.Other(happening)
      let isOpen = isOpen(entry)
      account?.other?.isHidden = !isOpen
      return happening.ends != .never
    }
    // The entry that the outcome names is gone.
    guard account?.other != nil else { return false }
    looked += 1
    guard looked <= Self.otherReach, happening.of.contains(by) else {
      return looked <= Self.otherReach
    }
    if happening.own == .deliver, seq < ending.seq { account?.other?.deliveredAt = happening.mono }
    if happening.own == .outcome, let found = EventEnding(entry, seq) {
      account?.other?.result = found.result
      return false
    }
    return true
  }

  mutating func relate(_ seq: Seq, _ relation: Relation, _ entry: JSONDocument) {
    guard relatives.count < Self.most, !relatives.contains(where: { $0.seq == seq }) else { return }
    if !(relation == .cause && isAsApp), !isOpen(entry) { return }
    relatives.append(Relative(seq: seq, relation: relation))
  }

  private mutating func standFor(_ seq: Seq, _ ending: EventEnding, _ entry: JSONDocument) {
    guard relatives.count(where: { $0.relation == .standsFor }) < Self.mostStoodFor else { return }
    switch ending.known {
    case .duplicate, .coalesced, .superseded, .summarised: relate(seq, .standsFor, entry)
    case .heard, .interrupted, .inhibited, .expired, .denied, .undeliverable, .cancelled, .handled,
      .unhandled, nil:
      break
    }
  }
}

extension Investigation {
  /// The account, once it is complete; nil where it cannot be told.
  package var result: Account? {
    guard case .done = phase, refusal == nil else { return nil }
    return account
  }

  /// In the order of their seqs.
  package var related: [Relative] { relatives.sorted { $0.seq < $1.seq } }

  /// Appends the members of the answer.
  package func writeAnswer(into out: inout ByteBuffer) {
    guard let account else { return }
    out.append(member: "entry")
    out.append(quoted.span)
    out.append(member: "outcome")
    if quotedOutcome.isEmpty { out.append("null") } else { out.append(quotedOutcome.span) }
    if case .pending(let pending, _) = account.openness, account.ending == nil {
      out.object("pending") { out in
        out.append(member: "state", pending.state.rawValue)
        out.append(member: "by")
        if let by = pending.by { out.append(json: by.rawValue) } else { out.append("null") }
        out.append(member: "due")
        if let due = pending.due {
          out.append(decimal: due.microseconds)
        } else {
          out.append("null")
        }
      }
    }
    if let ending = account.ending { out.append(member: "result", ending.result) }
    out.append(member: "rule")
    if let rule = account.rule { out.append(json: rule) } else { out.append("null") }
    out.append(member: "why")
    if quotedWhy.isEmpty { out.append("{}") } else { out.append(quotedWhy.span) }
    out.array("related", of: related) { out, relative in
      out.object { out in
        out.append(member: "seq", relative.seq.number)
        out.append(member: "relation", relative.relation.rawValue)
      }
    }
    out.append(member: "sentence", Sentences.about(account))
  }
}

extension Account {
  /// The rule that has decided, or that it waits for.
  package var rule: String? {
    if let ending { return ending.rule }
    if case .pending(let pending, _) = openness { return pending.rule }
    return nil
  }
}

/// The relation of an entry to the one that was asked about.
package enum Relation: String, Sendable, CaseIterable {
  /// The entry that it refers to.
  case about
  case deliver, silence, speech, outcome, focus, gesture, handled
  /// The user's action that has led to it, and other effects of that.
  case cause, feedback, consequence
  /// The event that has decided the end.
  case duplicateOf = "duplicate-of"
  case coalescedInto = "coalesced-into"
  case supersededBy = "superseded-by"
  case summarisedIn = "summarised-in"
  case interruptedBy = "interrupted-by"
  case cancelledBy = "cancelled-by"
  case endedBy = "ended-by"
  /// An event whose place it has taken.
  case standsFor = "stands-for"

  /// The relation of the event that an outcome names.
  init(by result: Result?) {
    switch result {
    case .duplicate: self = .duplicateOf
    case .coalesced: self = .coalescedInto
    case .superseded: self = .supersededBy
    case .summarised: self = .summarisedIn
    case .interrupted: self = .interruptedBy
    case .cancelled: self = .cancelledBy
    case .heard, .inhibited, .expired, .denied, .undeliverable, .handled, .unhandled, nil:
      self = .endedBy
    }
  }
}

/// An entry with a relation to the one that was asked about.
package struct Relative: Sendable, Equatable {
  package let seq: Seq
  package let relation: Relation
}

extension Confinement {
  /// Why whoever asks is told nothing of an entry.
  fileprivate func refusal(of seq: Seq) -> String {
    switch self {
    case .app: "entry \(seq.number) does not concern this app"
    case .person: "entry \(seq.number) is another person's"
    }
  }
}
