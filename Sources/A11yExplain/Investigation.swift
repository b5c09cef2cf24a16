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
  /// The app that asks and may hear only of its own entries.
  let owner: AppKey?
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
  package init(_ seq: Seq, through last: Seq, owner: AppKey?) {
    self.seq = seq
    through = last
    self.owner = owner
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
    case .story: return noteStory(entry, seq)
    case .other(let other): return noteOther(entry, seq, other)
    case .quote:
      if seq == self.seq, Happening(entry, seq)?.own != .forgotten { quoted = entry.text.array }
      return false
    case .quoteOutcome:
      guard seq == account?.ending?.seq else { return false }
      quotedOutcome = entry.text.array
      if let event = EntryView(of: entry).event, let why = entry.member("why", of: event) {
        var out = ByteBuffer(capacity: 256)
        entry.copyAll(why, into: &out)
        quotedWhy = out.bytes.array
      }
      return false
    case .quoteSpeech(let delivery):
      guard seq == delivery else { return false }
      let words = lastWords(of: entry)
      account?.lastWords = words
      return false
    case .presenter, .done: return false
    }
  }

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
    if let owner, !EntryView(of: entry).concerns(owner) {
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
}
