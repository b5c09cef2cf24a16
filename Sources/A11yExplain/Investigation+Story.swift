// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yPresenter
internal import A11yWire

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
      account?.other?.isHidden = owner.map { !EntryView(of: entry).concerns($0) } ?? false
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
    // An app may know of the action that has led to its own event.
    if relation != .cause, let owner, !EntryView(of: entry).concerns(owner) { return }
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
