// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPresenter
package import A11yWire

/// Finds out what became of an entry, from the log alone.
///
/// It reads nothing itself: it says which run of entries it wants to see next, takes them one after
/// the other for as long as it wants more, and moves on when the run is over. So a daemon can do it
/// in slices while the bus goes on, and a program without one from the files. What it keeps are seqs
/// and numbers; the entries that the answer quotes are read last, so that nothing is told that was
/// forgotten meanwhile.
package struct Explanation: Sendable {
  /// Entries from one to another, both included.
  package typealias Run = (from: Seq, through: Seq)

  private enum Phase: Sendable {
    /// The entry that was asked about.
    case asked
    /// What it says something of, with so many steps left to go.
    case subject(Seq, left: Int)
    case action(Seq)
    /// From the event on, or the action before it.
    case story(from: Seq)
    /// Whether it waits still is not in the log.
    case presenter
    /// The event that has decided its end.
    case other(Seq)
    /// What the answer quotes.
    case quote, quoteOutcome
    case done
  }

  package let seq: Seq
  /// Who may hear only of what concerns himself.
  private let owner: Filter?
  private var through: Seq
  private var phase = Phase.asked
  private var account: Account?
  private var relatives: [Relative] = []
  private var quoted: [UInt8] = []
  private var quotedOutcome: [UInt8] = []
  private var quotedWhy: [UInt8] = []
  private var hasAskedPresenter = false
  /// Entries of the other event's story that were looked at.
  private var looked = 0
  /// Why there is no explanation.
  package private(set) var refusal: Refusal?

  /// From an entry to the event that it tells of it takes so many steps at most: a report, its
  /// deliver, and the event of that.
  private static let steps = 3
  /// An action is looked for so many entries before what it has led to; both come within a second,
  /// or the app says so long after.
  private static let reachBack: Int64 = 2_000
  /// What an action does comes within a second, and an app that was asked to handle it has another.
  private static let actionReach: Int64 = 2_000_000
  /// So many entries are looked through for what became of the other event.
  private static let otherReach = 20_000
  /// Relatives in an answer; of those that a summary counts there may be any number.
  private static let most = 128
  package static let mostStoodFor = 32

  /// About `seq`, as far as the log went when it was asked.
  package init(_ seq: Seq, through last: Seq, owner: Filter?) {
    self.seq = seq
    through = last
    self.owner = owner
  }

  // MARK: Being driven

  /// The run of entries that comes next; nil when there is an answer, or the presenter is to be asked.
  package var run: Run? {
    switch phase {
    case .asked, .quote: (seq, seq)
    case .subject(let seq, _), .action(let seq): (seq, seq)
    case .story(let from): (from, through)
    case .other(let seq): (seq, through)
    case .quoteOutcome: account?.ending.map { ($0.seq, $0.seq) }
    case .presenter, .done: nil
    }
  }

  /// The event of which only the presenter knows whether it waits.
  package var openEvent: Seq? {
    guard case .presenter = phase else { return nil }
    return account?.event?.seq
  }

  /// Takes the next entry of the run; false where no more of it is wanted.
  package mutating func take(_ entry: JSONDocument, _ seq: Seq) -> Bool {
    switch phase {
    case .asked: return takeAsked(entry, seq)
    case .subject(let subject, _):
      if seq == subject, let happening = Happening(entry, seq), happening.own != .forgotten {
        account?.event = happening
      }
      return false
    case .action(let action):
      if seq == action, let happening = Happening(entry, seq), happening.published == .action {
        account?.action = happening
        relate(seq, .cause, entry)
      }
      return false
    case .story: return takeStory(entry, seq)
    case .other(let other): return takeOther(entry, seq, other)
    case .quote:
      if seq == self.seq, Happening(entry, seq)?.own != .forgotten { quoted = entry.text.array }
      return false
    case .quoteOutcome:
      guard seq == account?.ending?.seq else { return false }
      quotedOutcome = entry.text.array
      if let event = entry.member("event", of: entry.root),
        let why = entry.member("why", of: event)
      {
        var out = ByteBuffer(capacity: 256)
        entry.copyAll(why, into: &out)
        quotedWhy = out.bytes.array
      }
      return false
    case .presenter, .done: return false
    }
  }

  /// Moves on; the run is over, or what was wanted of it has come.
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
    case .quoteOutcome: phase = .done
    case .presenter, .done: break
    }
  }

  /// Takes what the presenter knows of the event that has no outcome up to `last`.
  package mutating func note(_ pending: Pending?, now: Int64, last: Seq) {
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
  package mutating func noteNothing() {
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

  // MARK: Steps

  private mutating func takeAsked(_ entry: JSONDocument, _ seq: Seq) -> Bool {
    guard seq == self.seq, let happening = Happening(entry, seq), happening.own != .forgotten
    else { return false }
    if let owner, !owner.admits(entry) {
      refusal = Refusal(
        .roleDenied,
        field: "seq",
        "entry \(seq.number) does not concern this app"
      )
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

  private mutating func beginStory() {
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

  private mutating func takeStory(_ entry: JSONDocument, _ seq: Seq) -> Bool {
    guard let event = account?.event, let happening = Happening(entry, seq) else { return true }
    if event.published == .action, happening.mono > event.mono + Self.actionReach { return false }
    switch happening.own {
    case .deliver:
      guard happening.of.contains(event.seq), let handover = Handover(entry, seq) else { break }
      account?.handovers.append(handover)
      relate(seq, .deliver, entry)
    case .silence: if hasHandover(happening.of) { relate(seq, .silence, entry) }
    case .outcome:
      guard let ending = Ending(entry, seq) else { break }
      if happening.of.contains(event.seq) {
        account?.ending = ending
        relate(seq, .outcome, entry)
        // What an action leads to may come behind the answer to it.
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
    case .opened, .closed, .rules, .client, .forgotten, nil: takePublished(happening, entry)
    }
    return true
  }

  private mutating func takePublished(_ happening: Happening, _ entry: JSONDocument) {
    guard let event = account?.event, happening.seq != event.seq else { return }
    switch happening.published {
    case .speech: if hasHandover(happening.of) { relate(happening.seq, .speech, entry) }
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

  private func hasHandover(_ seqs: [Seq]) -> Bool {
    account?.handovers.contains { seqs.contains($0.seq) } ?? false
  }

  private mutating func endStory() {
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

  private mutating func takeOther(_ entry: JSONDocument, _ seq: Seq, _ by: Seq) -> Bool {
    guard let ending = account?.ending, let happening = Happening(entry, seq) else { return true }
    if seq == by {
      guard happening.own != .forgotten else { return false }
      account?.other = Account.Other(happening)
      account?.other?.isHidden = owner.map { !$0.admits(entry) } ?? false
      return happening.ends != .never
    }
    // What the outcome names is gone.
    guard account?.other != nil else { return false }
    looked += 1
    guard looked <= Self.otherReach, happening.of.contains(by) else {
      return looked <= Self.otherReach
    }
    if happening.own == .deliver, seq < ending.seq { account?.other?.deliveredAt = happening.mono }
    if happening.own == .outcome, let found = Ending(entry, seq) {
      account?.other?.result = found.result
      return false
    }
    return true
  }

  private mutating func relate(_ seq: Seq, _ relation: Relation, _ entry: JSONDocument) {
    guard relatives.count < Self.most, !relatives.contains(where: { $0.seq == seq }) else { return }
    // What an action was asked for by the app itself, it may know of.
    if relation != .cause, let owner, !owner.admits(entry) { return }
    relatives.append(Relative(seq: seq, relation: relation))
  }

  private mutating func standFor(_ seq: Seq, _ ending: Ending, _ entry: JSONDocument) {
    guard relatives.count(where: { $0.relation == .standsFor }) < Self.mostStoodFor else { return }
    switch ending.known {
    case .duplicate, .coalesced, .superseded, .summarised: relate(seq, .standsFor, entry)
    case .heard, .interrupted, .inhibited, .expired, .denied, .undeliverable, .cancelled, .handled,
      .unhandled, nil:
      break
    }
  }
}

// The answer.
extension Explanation {
  /// What was found out; nil while it is not, or where it cannot be told.
  package var result: Account? {
    guard case .done = phase, refusal == nil else { return nil }
    return account
  }

  /// In the order of their seqs.
  package var related: [Relative] { relatives.sorted { $0.seq < $1.seq } }

  /// The entry that was asked about, as it is stored.
  package var entryLine: [UInt8] { quoted }

  /// Appends the members of the answer.
  package func write(into out: inout ByteBuffer) {
    guard let account else { return }
    out.append(member: "entry")
    out.append(quoted.span)
    out.append(member: "outcome")
    if quotedOutcome.isEmpty { out.append("null") } else { out.append(quotedOutcome.span) }
    if case .pending(let pending, _) = account.openness, account.ending == nil {
      out.append(member: "pending")
      out.append("{")
      out.append(member: "state", pending.state.rawValue)
      out.append(member: "by")
      if let by = pending.by { out.append(json: by.rawValue) } else { out.append("null") }
      out.append(member: "due")
      if let due = pending.due { out.append(decimal: due) } else { out.append("null") }
      out.append("}")
    }
    if let ending = account.ending { out.append(member: "result", ending.result) }
    out.append(member: "rule")
    if let rule = account.rule { out.append(json: rule) } else { out.append("null") }
    out.append(member: "why")
    if quotedWhy.isEmpty { out.append("{}") } else { out.append(quotedWhy.span) }
    out.append(member: "related")
    out.append("[")
    for (index, relative) in related.enumerated() {
      if index > 0 { out.append(",") }
      out.append("{")
      out.append(member: "seq", relative.seq.number)
      out.append(member: "relation", relative.relation.rawValue)
      out.append("}")
    }
    out.append("]")
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
