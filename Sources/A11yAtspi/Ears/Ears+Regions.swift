// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient

// Live regions: text that comes and goes, regions that are told as a whole, and busy ones.
extension Ears {
  private static let mostBusy = 32
  /// Regions of a program whose members are kept, for the words of those that go.
  private static let mostRegions = 16

  // MARK: Text that comes

  mutating func hearInsertion(
    _ text: String,
    at start: Int64,
    _ source: SourceObject,
    _ known: SourceFacts,
    isFirst: Bool,
    at now: Int64
  ) {
    held.removeAll { $0.reason == .removal && $0.words.source == source }
    if known.role == .terminal { return hearOutput(text, at: start, of: source, known, at: now) }
    guard known.isLive, known.tellsInsertions, let app = apps[source.sender] else { return }
    if known.tellsRemovals, text.unicodeScalars.contains(AtspiSignal.objectSign) {
      inquireOrCount(.members, source)
    }
    if known.isBusy { return keepBusy(source, known, in: app) }
    let change = change(text, at: start, of: source, at: now)
    let isArrival = isFirst && known.isOfPage && known.isAssertive == false
    if known.isAtomic {
      let root = known.region?.atomic ?? source
      app.regions[root] = known
      if isArrival { app.newcomers.insert(root) }
      return inquireOrCount(.text, root)
    }
    if text.unicodeScalars.contains(AtspiSignal.objectSign) {
      if isArrival { app.newcomers.insert(source) }
      return inquireOrCount(.parts(of: text, at: start), source)
    }
    let isReturn = stand(text, place: start, of: source, known, isFirst: isFirst, at: now)
    if case .growth(let added) = change { return grow(source, known, by: added, at: now) }
    endStream(of: source)
    let plain = AtspiSignal.plain(text)
    guard !plain.isEmpty else { return }
    var words = Words(plain, of: source, on: .insertion, in: known)
    words.isReplacement = change == .replacement
    words.isReturn = isReturn
    words.hasSpace = text.last?.isWhitespace ?? false
    if change != .none { tellOrHold(words, isArrival: isArrival || isReturn, at: now) }
  }

  private mutating func tellOrHold(_ words: Words, isArrival: Bool, at now: Int64) {
    if isArrival { hold(words, because: .arrival, at: now) } else { tell(words, at: now) }
  }

  /// Tells an inserted text together with the texts of the objects in it, as they stand.
  ///
  /// Chromium tells of the objects by themselves, too, before or after and in any order: each is
  /// told once, and objects that still wait are told here, at their place.
  mutating func tellInsertion(
    _ text: String,
    _ parts: [TextPart],
    at start: Int64,
    of source: SourceObject,
    at now: Int64
  ) {
    guard let facts = facts[source], let app = apps[source.sender] else { return }
    let told = recentlyTold(in: app, within: Self.sameObjects, at: now)
      .filter { $0.way == .insertion || $0.way == .surroundings }
    let waiting = held.map(\.words).filter { $0.way == .surroundings }
    let known = Set(told.flatMap(\.sources) + waiting.flatMap(\.inner))
    var isArrival = app.newcomers.remove(source) != nil
    app.standing.see(facts.region?.root ?? source, at: now)
    let drawn = draw(parts, at: start, of: source, in: app)
    var left = Array(zip(parts, drawn.texts))[...]
    var pieces: [String] = []
    var returns: [Bool] = []
    var inner: [SourceObject] = []
    for piece in text.unicodeScalars.split(
      separator: AtspiSignal.objectSign,
      omittingEmptySubsequences: false
    ) {
      if !pieces.isEmpty, let (part, text) = left.popFirst() {
        let objects = [part.source] + part.inner
        if known.isDisjoint(with: objects) {
          pieces.append(text)
          inner += objects
          for words in stopHolding(objects) {
            isArrival = true
            returns.append(words.isReturn)
          }
        }
      }
      pieces.append(String(piece))
    }
    let whole = AtspiSignal.plain(pieces.joined(separator: " "))
    var words = Words(whole, of: source, inner: inner, on: .surroundings, in: facts)
    words.isReplacement = drawn.isReplacement
    words.isReturn = !returns.isEmpty && !returns.contains(false)
    if whole.isEmpty {
      noteTold(words, in: app, at: now)
    } else {
      tellOrHold(words, isArrival: isArrival, at: now)
    }
    if let growth = drawn.growth { grow(source, facts, by: growth, at: now) }
  }

  /// Tells the whole text of a region in which something has changed.
  mutating func tellRegion(_ source: SourceObject, _ text: String, at now: Int64) {
    guard let app = apps[source.sender], let known = app.regions[source] else { return }
    // A second question about the same region may be under way.
    if !app.questions.dropFirst().contains(SourceQuestion(.text, source)) {
      app.regions[source] = nil
    }
    let isArrival = app.newcomers.remove(source) != nil
    let whole = AtspiSignal.plain(text)
    guard !whole.isEmpty else { return }
    var words = Words(whole, of: source, on: .region, in: known)
    words.isReplacement = known.isAtomic
    words.isReturn = stand(whole, of: source, known, isFirst: isArrival, at: now)
    tellOrHold(words, isArrival: isArrival, at: now)
  }

  /// Tells an alert that has appeared, by its name and the texts in it.
  mutating func tellAlert(_ source: SourceObject, _ text: String, at now: Int64) {
    guard let known = facts[source] else { return }
    let words = AtspiSignal.plain(text)
    let stop = known.name.last?.isPunctuation ?? true ? " " : ". "
    let parts = words.contains(known.name) ? [words] : [known.name, words]
    let whole = known.name.contains(words) ? known.name : parts.joined(separator: stop)
    let isReturn = stand(whole, of: source, known, isFirst: true, at: now)
    guard !whole.isEmpty, !isReturn || !isReturning(source, at: now) else { return }
    let isAssertive = known.isAssertive ?? (known.role == .alert)
    var news = Words(whole, of: source, on: .appearance, isAssertive: isAssertive)
    news.language = known.language
    tell(news, at: now)
  }

  // MARK: Text that goes

  mutating func hearRemoval(
    _ text: String,
    at place: Int64,
    _ source: SourceObject,
    _ known: SourceFacts,
    at now: Int64
  ) {
    if known.role == .terminal { return noteErased(text, at: place, of: source) }
    if known.isLive { noteGone(text, at: place, of: source, at: now) }
    guard known.tellsRemovals, let app = apps[source.sender] else { return }
    if known.isBusy { return keepBusy(source, known, in: app) }
    if known.isAtomic {
      let root = known.region?.atomic ?? source
      app.regions[root] = known
      return inquireOrCount(.text, root)
    }
    if text.unicodeScalars.contains(AtspiSignal.objectSign) {
      app.losses.insert(source)
      inquireOrCount(.members, source)
    }
    let words = AtspiSignal.plain(text)
    if !words.isEmpty { holdRemoval(words, source, known, at: now) }
  }

  /// Has the texts in a region be known before one of them goes.
  mutating func beginMembers(_ source: SourceObject, in app: ForeignApp) {
    guard app.members.count < Self.mostRegions else { return }
    app.members[source] = []
    inquireOrCount(.members, source)
  }

  /// Tells the members that are no longer there.
  mutating func compareMembers(
    _ parts: [TextPart],
    of source: SourceObject,
    in app: ForeignApp,
    at now: Int64
  ) {
    guard let before = app.members[source] else { return }
    app.members[source] = parts
    guard app.losses.remove(source) != nil, let known = facts[source] else { return }
    let present = Set(parts.map(\.source))
    let gone = before.filter { !present.contains($0.source) }.map(\.text)
    let words = AtspiSignal.plain(gone.joined(separator: " "))
    if !words.isEmpty { holdRemoval(words, source, known, at: now) }
  }

  private mutating func holdRemoval(
    _ text: String,
    _ source: SourceObject,
    _ known: SourceFacts,
    at now: Int64
  ) {
    let words = Words("removed: \(text)", of: source, on: .removal, in: known)
    hold(words, because: .removal, at: now)
  }

  // MARK: Busy regions

  private mutating func keepBusy(
    _ source: SourceObject,
    _ known: SourceFacts,
    in app: ForeignApp
  ) {
    let place = known.region?.busy
    let change = ForeignApp.BusyChange(
      place: place,
      source: place ?? known.region?.root ?? source,
      facts: known
    )
    guard !app.busy.contains(where: { $0.source == change.source }) else { return }
    guard app.busy.count < Self.mostBusy else { return countOverrun() }
    app.busy.append(change)
  }

  /// The end of a busy region: the changes in it are told together, by the text that is there now.
  mutating func endBusy(_ source: SourceObject, in app: ForeignApp) {
    let free = app.busy.filter { $0.place == source || $0.place == nil }
    app.busy.removeAll { $0.place == source || $0.place == nil }
    for change in free {
      let root = change.facts.isAtomic ? change.facts.region?.atomic : nil
      app.regions[root ?? change.source] = change.facts
      inquireOrCount(.text, root ?? change.source)
    }
  }
}
