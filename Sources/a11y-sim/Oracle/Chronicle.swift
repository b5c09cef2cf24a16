// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yWire

/// The log as the world outside knows it: every line that has left the bus, and what was promised.
///
/// This is the one judge of entries. It is told of lines, of answers, of crashes and of damage, and
/// never looks into the bus. It holds the bus to these promises:
///
/// - a line is whole, in its form, and somebody's: a client's, as that client has sent it, or the
///   bus's;
/// - one number of one epoch is one line for ever;
/// - what was acknowledged is there, once, as long as its acknowledgement reaches;
/// - whatever is missing is declared, within exact bounds and for a true reason.
final class Chronicle {
  /// The acknowledgement that a client has got for its event.
  private struct Claim {
    let publication: SentEvent
    let safety: SentEvent.Ack
  }

  let judge: Judge
  let maker: EventMaker
  private let reader = JSONReader(limit: Limits.answerBytes)
  private(set) var epochs: [(hex: String, first: Int64)] = []
  private(set) var known: [Int64: Known] = [:]
  private(set) var losses: [Int64: Loss] = [:]
  private var claims: [Int64: Claim] = [:]
  var forgettings = Forgettings()
  /// The last entry that the bus has written, which nobody may have seen yet.
  var busLast: () -> Int64 = { 0 }
  /// The highest seq that anybody knows of.
  private(set) var top: Int64 = 0
  /// The user that the bus is of.
  let uid: Int64 = 1_000
  /// Whether what is seen now is on the disk: the bus has not been told of any misfortune.
  var isHealthy = true
  /// A start could not read all that was there.
  var isClockLost = false
  /// The disk does not give back what it has, and not just once.
  var isUnreadable = false
  /// Whether a new epoch may begin with this start; nil where it may or not.
  var expectsEpoch: Bool?

  static let ownTypes: Set<String> = [
    "focus", "deliver", "silence", "outcome", "gesture", "opened", "closed", "rules", "client",
    "forgot",
  ]

  init(_ judge: Judge, _ maker: EventMaker) {
    self.judge = judge
    self.maker = maker
  }

  /// A copy that is held against another course of events.
  init(copying other: Chronicle, _ judge: Judge) {
    self.judge = judge
    maker = other.maker
    epochs = other.epochs
    known = other.known
    losses = other.losses
    claims = other.claims
    top = other.top
    states = other.states
    forgettings = other.forgettings
    epoch = other.epoch
    unseen = other.unseen
    retained = other.retained
    faded = other.faded
    mayHaveLostHeaders = other.mayHaveLostHeaders
  }

  /// The epoch in force, as the bus has told whoever started it.
  var epoch = ""
  /// The first seq of the epoch, if it begins with this start.
  var opened: Int64?

  /// Epochs that have given no number that still counts, and the last entry that a cursor of theirs
  /// can name.
  private var faded: [String: Int64] = [:]
  /// Power or damage may have taken headers, and what they say of earlier epochs.
  var mayHaveLostHeaders = false

  /// Whether the bus may know nothing of an epoch that it was in, or not where it ended.
  func mayForget(_ epoch: String) -> Bool {
    faded[epoch] != nil || mayHaveLostHeaders && epoch != self.epoch
  }

  /// The last entry that a cursor of this epoch can name; nil where it is unknown.
  func reach(of epoch: String) -> Int64? {
    guard let index = epochs.lastIndex(where: { $0.hex == epoch }) else { return faded[epoch] }
    return index == epochs.count - 1 ? Int64.max : epochs[index + 1].first - 1
  }

  // MARK: Lines

  /// Takes an entry's line as it has reached somebody; nil where it is not one.
  @discardableResult
  func accept(_ line: [UInt8]) -> Known? {
    if let seq = EntryLine.seq(of: line[...]), let before = known[seq], isRight(line, for: before) {
      if isHealthy, before.safety < .written { known[seq]?.safety = .written }
      return before
    }
    let rest = forgettings.isEmpty ? nil : EntryLine(tombstone: line)
    guard let entry = EntryLine(line) ?? rest else {
      judge.blame(expected: "an entry in its form, with its checksum", came: shown(line))
      return nil
    }
    guard let subject = Subject(line, of: entry, with: reader) else {
      judge.blame(expected: "an entry in strict JSON", came: shown(line))
      return nil
    }
    if let epoch = subject.epoch, entry.conn == 0, !epochs.contains(where: { $0.hex == epoch }) {
      beginEpoch(epoch, at: entry.seq)
    }
    // A line that left before it was forgotten may arrive behind its tombstone.
    if let before = known[entry.seq], before.line != entry.tombstone {
      judge.blame(
        expected: "entry \(entry.seq) as it was before: \(shown(before.line))",
        came: shown(line)
      )
      return nil
    }
    checkOrder(entry)
    let publication = rest == nil ? source(of: entry, subject) : nil
    let fresh = Known(
      line: line,
      entry: entry,
      about: subject,
      publication: publication,
      safety: isHealthy ? .written : .received
    )
    known[entry.seq] = fresh
    // A subscriber in a segment that was dropped reads it to its end.
    losses[entry.seq] = entry.seq < retained ? .retention : nil
    top = max(top, entry.seq)
    if let last = epochs.last, entry.seq >= last.first {
      given[last.hex] = max(given[last.hex] ?? 0, entry.seq)
    }
    if let claim = claims.removeValue(forKey: entry.seq), rest == nil {
      settle(claim, at: entry.seq)
    }
    return fresh
  }

  /// The bus clock never goes back along the log.
  private func checkOrder(_ entry: EntryLine) {
    if isClockLost { return }
    for (seq, isBefore) in [(entry.seq - 1, true), (entry.seq + 1, false)] {
      // The clock goes on from the last entry that can be read.
      guard losses[seq] == nil, let neighbour = known[seq]?.entry else { continue }
      judge.check(
        isBefore ? neighbour.mono <= entry.mono : neighbour.mono >= entry.mono,
        expected: "a bus clock that does not go back between \(seq) and \(entry.seq)",
        came: "\(neighbour.mono) and \(entry.mono)"
      )
    }
  }

  /// The event behind an entry, checked against the one that its client has sent.
  private func source(of entry: EntryLine, _ subject: Subject) -> SentEvent? {
    if entry.conn == 0 {
      judge.check(
        entry.app == "a11yd" && entry.uid == uid && Self.ownTypes.contains(subject.type),
        expected: "an entry of the bus's own, from a11yd and user \(uid)",
        came: "\(subject.type) from \(entry.app) and user \(entry.uid), seq \(entry.seq)"
      )
      return nil
    }
    guard let token = subject.token, let publication = maker.publications[token] else {
      judge.blame(
        expected: "an event that somebody has published",
        came: "seq \(entry.seq): \(shown(entry.event))"
      )
      return nil
    }
    judge.check(
      publication.isOut,
      expected: "nothing of event \(token), which its client has not sent yet",
      came: "entry \(entry.seq)"
    )
    judge.check(
      Array(entry.event) == Array(publication.stored.utf8) && entry.app == publication.app
        && entry.uid == Int64(publication.uid) && entry.dedupe == publication.dedupe,
      expected: "\(publication.app), key \(publication.dedupe ?? "none"): \(publication.stored)",
      came: "\(entry.app), key \(entry.dedupe ?? "none"): \(shown(entry.event))"
    )
    checkOnce(publication, entry)
    publication.seqs.append(entry.seq)
    return publication
  }

  private func checkOnce(_ publication: SentEvent, _ entry: EntryLine) {
    let others = publication.seqs.filter { $0 != entry.seq && known[$0] != nil }
    judge.check(
      others.count < publication.requests - publication.refusals,
      expected: "event \(publication.token) at most \(publication.requests) times less"
        + " \(publication.refusals) refusals",
      came: "entries \(others) and \(entry.seq)"
    )
    // Of what could not be read at the start the bus cannot know the keys.
    guard publication.dedupe != nil, !isUnreadable else { return }
    for other in others {
      // One that damage has taken cannot be remembered by its key.
      guard losses[other] == nil, let known = known[other], !mayBeForgotten(known) else { continue }
      let before = known.entry
      judge.check(
        abs(before.mono - entry.mono) >= Self.keyMemory,
        expected: "key \(publication.dedupe ?? "") once within ten minutes of bus time",
        came: "entries \(other) and \(entry.seq), \(abs(before.mono - entry.mono)) µs apart"
      )
    }
  }

  private static let keyMemory: Int64 = 600_000_000

  // MARK: Answers

  /// Takes what a client was told of its event.
  func claim(
    _ publication: SentEvent,
    seq: Int64,
    _ durability: SentEvent.Ack,
    isDuplicate: Bool
  ) {
    // A key is remembered longer than an entry that damage has taken.
    if isDuplicate, losses[seq] != nil { return }
    let claim = Claim(publication: publication, safety: durability)
    top = max(top, seq)
    guard known[seq] != nil else {
      if let other = claims[seq], other.publication !== publication {
        judge.blame(
          expected: "seq \(seq) for event \(other.publication.token) alone",
          came: "the same seq for event \(publication.token)"
        )
      }
      claims[seq] = Claim(
        publication: publication,
        safety: max(durability, claims[seq]?.safety ?? .received)
      )
      return
    }
    settle(claim, at: seq)
  }

  private func settle(_ claim: Claim, at seq: Int64) {
    guard let entry = known[seq], entry.about.type != Self.forgotten else { return }
    judge.check(
      entry.publication === claim.publication,
      expected: "entry \(seq) to be event \(claim.publication.token), as its client was told",
      came: shown(entry.line)
    )
    known[seq]?.safety = max(entry.safety, claim.safety)
  }

  /// Every answer has its entry, once everybody has read to the end.
  func checkClaims() {
    for (seq, claim) in claims.sorted(by: { $0.key < $1.key }) where losses[seq] == nil {
      judge.blame(
        expected: "entry \(seq), which event \(claim.publication.token) was acknowledged as"
          + " (\(claim.safety.rawValue))",
        came: "none"
      )
    }
  }

  // MARK: States

  private var states = ToldStates()
  /// The entries after which the state is known.
  var toldStates: [Int64] { states.seqs }

  /// Takes the state that somebody was told.
  ///
  /// Where entries are lost, something else may follow from those that are left.
  func acceptState(_ line: [UInt8], after seq: Int64) {
    guard let state = ToldStates.State(line) else {
      return judge.blame(expected: "a state in its form", came: shown(line))
    }
    guard !isUnreadable, forgettings.isEmpty, !losses.keys.contains(where: { $0 <= seq }) else {
      return
    }
    states.accept(state, after: seq, judge)
  }

  /// Somebody was told that the log goes as far as this, though retention may have left none of it.
  func reach(_ seq: Int64) { top = max(top, seq) }

  // MARK: Gaps

  /// Takes a gap that a subscriber was told; `first` is the oldest entry that the log still has.
  func acceptGap(from: Int64, to: Int64, reason: String, retained first: Int64) {
    var causes: Loss = []
    for seq in from...max(from, to) {
      // The fate of entries that nobody has seen is not known either.
      if known[seq] == nil { causes.formUnion(unseen) }
      // Where the log begins later, nothing is left that could say why.
      if seq < first { causes.insert(.retention) }
      if let loss = losses[seq] {
        causes.formUnion(loss)
      } else if seq < first {
        causes.insert(.retention)
      } else if isUnreadable {
        // This subscriber goes on without it; the next one may get it.
        causes.insert(.corruption)
      } else if let entry = known[seq] {
        judge.blame(
          expected: "entry \(seq), which is there: \(shown(entry.line))",
          came: "a gap from \(from) to \(to) (\(reason))"
        )
        return
      }
    }
    top = max(top, to)
    let wanted: Loss? =
      switch reason {
      case "retention": .retention
      case "corruption": .corruption
      case "storage": .storage
      default: nil
      }
    judge.check(
      wanted.map { causes.contains($0) } ?? false,
      expected: "a true reason for the gap from \(from) to \(to)",
      came: "\(reason); causes \(causes.rawValue)"
    )
  }

  /// The highest number that was seen of each epoch.
  private var given: [String: Int64] = [:]
  /// Why entries that nobody has seen may be missing.
  var unseen: Loss = []

  // MARK: Crashes, damage, epochs

  /// The process has ended; `disk` is what is left of its work.
  func crash(_ disk: DiskReading, needs: SentEvent.Ack, retained: Bool, excused: Bool) {
    let first = disk.first ?? Int64.max
    // Nobody may have seen the last entries that were meant.
    forgettings.interrupt(at: max(top, disk.entries.keys.max() ?? 0))
    // A segment that was removed may be there again.
    self.retained = min(self.retained, first)
    if needs == .synced {
      // A removal may have come to the medium, and that of an older segment not: a hole, for which
      // nothing says who has made it.
      for (seq, loss) in losses where loss.contains(.retention) {
        losses[seq]?.insert(.corruption)
      }
    }
    for (seq, entry) in known where losses[seq] == nil && !isRight(disk.entries[seq], for: entry) {
      if seq < first, retained {
        losses[seq] = .retention
        continue
      }
      judge.check(
        entry.safety < needs || excused && entry.safety < .synced,
        expected: "entry \(seq), \(entry.safety.rawValue), on the disk: \(shown(entry.line))",
        came: disk.entries[seq].map { shown($0) } ?? "nothing"
      )
      // Written in part, it looks like damage.
      losses[seq] = [.storage, .corruption]
    }
    for (seq, claim) in claims.sorted(by: { $0.key < $1.key }) {
      if losses[seq] != nil {
        claims[seq] = nil
        continue
      }
      if let line = disk.entries[seq] {
        // Nobody had read it before its bus ended; now it can be judged.
        isHealthy = false
        accept(line)
        continue
      }
      claims[seq] = nil
      if seq < first, retained {
        losses[seq] = .retention
        continue
      }
      judge.check(
        claim.safety < needs || excused && claim.safety < .synced,
        expected: "entry \(seq), \(claim.safety.rawValue), on the disk",
        came: "nothing"
      )
      losses[seq] = [.storage, .corruption]
    }
    takeBackEpoch(disk)
  }

  /// Takes back the last epoch if nothing of it is left, and its numbers have other entries now:
  /// those of the epoch before, which the start that began it could not read.
  private func takeBackEpoch(_ disk: DiskReading) {
    guard epochs.count > 1, let last = epochs.last else { return }
    let found = disk.entries.compactMap { seq, line in
      seq < last.first ? nil : known[seq].map { isRight(line, for: $0) }
    }
    if !found.isEmpty, !found.contains(true) { takeBackLast() }
  }

  private func takeBackLast() {
    let last = epochs.removeLast()
    faded[last.hex] = last.first - 1
    dropEntries(from: last.first)
    top = last.first - 1
  }

  /// A start goes on with an epoch that others have followed, of which nothing has come to the
  /// disk; then all its numbers must be new.
  func goOn(with epoch: String, at first: Int64, _ disk: DiskReading) {
    guard epochs.contains(where: { $0.hex == epoch }) else { return }
    while let last = epochs.last, last.hex != epoch {
      guard !known.contains(where: { $0 >= last.first && isRight(disk.entries[$0], for: $1) })
      else {
        return
      }
      takeBackLast()
    }
    judge.check(
      given[epoch] ?? 0 < first,
      expected: "numbers of epoch \(epoch) behind \(given[epoch] ?? 0)",
      came: "\(first)"
    )
  }

  private func dropEntries(from first: Int64) {
    for (seq, entry) in known where seq >= first {
      known[seq] = nil
      entry.publication?.seqs.removeAll { $0 == seq }
    }
    claims = claims.filter { $0.key < first }
    losses = losses.filter { $0.key < first }
    states.dropStates(from: first)
  }

  /// Time has been at the disk: what is not whole any more is damaged.
  func damage(from before: DiskReading, to after: DiskReading) {
    for (seq, line) in before.entries where after.entries[seq] != line {
      losses[seq, default: []].insert(.corruption)
    }
    unseen.insert(.corruption)
    mayHaveLostHeaders = true
  }

  /// Damage has taken the end of the log, and nothing says that it was there.
  ///
  /// The bus has to give those numbers again. Synchronized entries are noted elsewhere as well, and
  /// are not forgotten if the disk has taken the note.
  func overwrite(from first: Int64, isNoted: Bool) {
    for (seq, entry) in known where seq >= first && (entry.safety < .synced || !isNoted) {
      known[seq] = nil
      losses[seq] = nil
      entry.publication?.seqs.removeAll { $0 == seq }
    }
    claims = claims.filter { $0.key < first || isNoted && $0.value.safety == .synced }
    given = given.mapValues { min($0, first - 1) }
    states.dropStates(from: first)
    if !isNoted { top = min(top, first) }
  }

  /// A clean end: everything is on the medium.
  func close() {
    for seq in known.keys where losses[seq] == nil { known[seq]?.safety = .synced }
  }

  /// The log begins later now.
  func retain(from first: Int64) {
    guard first > retained else { return }
    for seq in retained..<first { losses[seq, default: []].insert(.retention) }
    retained = first
  }

  private var retained: Int64 = 1

  /// Somebody was greeted: from now on the epoch is known, though nobody may ever see the entry
  /// that says where it begins.
  func greet() {
    guard let opened, !epochs.contains(where: { $0.hex == epoch }) else { return }
    beginEpoch(epoch, at: opened)
  }

  /// A new epoch begins: numbers from here on mean something else.
  private func beginEpoch(_ epoch: String, at first: Int64) {
    if !epochs.isEmpty, let expectsEpoch {
      judge.check(
        expectsEpoch,
        expected: "epoch \(epochs.last?.hex ?? "") to go on",
        came: "epoch \(epoch) from \(first) on"
      )
    }
    for epoch in epochs where epoch.first >= first { faded[epoch.hex] = first - 1 }
    epochs.removeAll { $0.first >= first }
    epochs.append((epoch, first))
    dropEntries(from: first)
    // Removals among the earlier numbers say nothing of these.
    retained = min(retained, first)
    top = first
  }
}

extension Chronicle {
  /// Why an entry may be gone.
  struct Loss: OptionSet {
    let rawValue: Int
    /// The disk has never had it, or has lost it with the power.
    static let storage = Loss(rawValue: 1)
    /// It was on the disk, and damaged there.
    static let corruption = Loss(rawValue: 2)
    static let retention = Loss(rawValue: 4)
  }
}

// The bus's decisions, as far as they can be judged without knowing its rules.
extension Chronicle {
  /// Types that end in an outcome, every time.
  private static let presentable: Set<String> = [
    "announcement", "layout-changed", "screen-changed", "page-scrolled", "voiceover-status",
    "focus",
  ]

  /// Types that may be presented, and so may have an outcome.
  private static let presented = presentable.union(["elements", "focus-changed", "action"])

  /// Looks at all decisions that are on the log, over all lives of the bus.
  ///
  /// Each speaks of an earlier entry of its kind. No event ends twice, and nothing is delivered of
  /// one that has ended; the clock never goes back. When `isOver`, nothing waits any more: then
  /// every event has an end, unless damage may have taken it.
  func checkDecisions(isOver: Bool) {
    var ends: [Int64: Int64] = [:]
    var succession = Succession()
    var mono: Int64 = 0
    for seq in known.keys.sorted() where losses[seq] == nil {
      guard let entry = known[seq], !mayBeForgotten(entry) else { continue }
      judge.check(
        entry.entry.mono >= mono,
        expected: "a bus clock that never goes back, at \(mono) or later",
        came: shown(entry.line)
      )
      mono = max(mono, entry.entry.mono)
      succession.follow(entry, judge)
      guard entry.entry.conn == 0 else { continue }
      switch entry.about.type {
      case "deliver":
        checkSubjects(of: entry, Self.presented)
        for of in entry.about.of where ends[of] != nil && !isEcho(entry, of) {
          judge.blame(
            expected: "nothing more of \(of), which ended at \(ends[of] ?? 0)",
            came: shown(entry.line)
          )
        }
      case "outcome":
        checkSubjects(of: entry, Self.presented)
        for of in entry.about.of {
          if let end = ends[of] {
            judge.blame(expected: "one end of \(of), at \(end)", came: shown(entry.line))
          }
          ends[of] = seq
        }
      case "silence": checkSubjects(of: entry, ["deliver"])
      default: break
      }
    }
    if isOver { checkEnds(ends) }
  }

  /// A reader that joins is told the present focus, though other readers have heard of it.
  private func isEcho(_ deliver: Known, _ of: Int64) -> Bool {
    deliver.about.isAgain && known[of].map { $0.about.type == "focus" } ?? true
  }

  private func checkSubjects(of entry: Known, _ types: Set<String>) {
    judge.check(
      !entry.about.of.isEmpty && entry.about.of.allSatisfy { $0 < entry.entry.seq },
      expected: "words about what was before",
      came: shown(entry.line)
    )
    for of in entry.about.of where losses[of] == nil {
      guard let subject = known[of] else { continue }
      judge.check(
        types.contains(subject.about.type),
        expected: "words about \(types.sorted().joined(separator: ", "))",
        came: "\(shown(entry.line)) about \(shown(subject.line))"
      )
    }
  }

  private func checkEnds(_ ends: [Int64: Int64]) {
    var seq = top
    while let entry = known[seq], losses[seq] == nil {
      if Self.presentable.contains(entry.about.type), !mayBeForgotten(entry) {
        judge.check(
          ends[seq] != nil,
          expected: "an outcome of \(shown(entry.line))",
          came: "none up to \(top)"
        )
      }
      seq -= 1
    }
  }

  /// Judges the epoch of a start, and the `opened` entry that names it.
  func checkEpoch(opened: Int64?, retained: Int64) {
    judge.check(
      epochs.last?.hex == epoch,
      expected: "epoch \(epochs.last?.hex ?? "")",
      came: epoch
    )
    // The `opened` entry may have been dropped before anybody read it.
    if let opened, opened >= retained {
      judge.check(
        known[opened]?.about.epoch == epoch,
        expected: "an opened entry for epoch \(epoch)",
        came: known[opened].map { shown($0.line) } ?? "none"
      )
    }
  }

  /// Whether an entry is there and of this type, as far as anybody has seen it.
  func mayBe(_ type: String, at seq: Int64) -> Bool {
    1...busLast() ~= seq && known[seq].map { $0.about.type == type } ?? true
  }
}
