// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient

// Live regions: text that comes and goes, regions that are told as a whole, and busy ones.
extension Ears {
  private static let mostBusy = 32
  /// Objects that come at once and are looked at for regions; more are a part of a page.
  private static let mostObjects = 4
  /// Questions to a program with which regions are looked for; with more it is busy with a page.
  private static let mostAhead = 4
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
    if known.role == .terminal { return hearOutput(text, at: start, of: source, known, at: now) }
    noteReplacement(by: text, in: source, known)
    guard let app = apps[source.sender] else { return }
    guard known.isLive else { return lookForRegions(in: text, at: start, source, known, in: app) }
    guard known.tellsInsertions else { return }
    if known.tellsRemovals, text.unicodeScalars.contains(AtspiSignal.objectSign) {
      inquireOrCount(.members, source)
    }
    if known.isBusy { return keepBusy(source, known, in: app) }
    if known.hidesText, !known.isAtomic {
      // The text in a control that its page names is never read; a new one says its name.
      if isFirst { hearName(known.name, source, known, isFirst: true, isChange: false, at: now) }
      return
    }
    let change = change(text, at: start, of: source, at: now)
    let isArrival = isFirst && known.isOfPage && known.isAssertive == false
    if known.isAtomic { return askRegion(around: source, known, isArrival: isArrival, in: app) }
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

  /// Tells the new name of an object: of an image, which has no text, and of a control.
  mutating func hearName(
    _ name: String,
    _ source: SourceObject,
    _ known: SourceFacts,
    isFirst: Bool,
    isChange: Bool = true,
    at now: Int64
  ) {
    let isNew = isFirst || facts[source]?.name != name
    facts[source]?.name = name
    guard isNew, known.isLive, known.tellsNames, known.role.isNamed, let app = apps[source.sender]
    else { return }
    if known.isBusy { return keepBusy(source, known, in: app) }
    let isArrival = isFirst && known.isOfPage && known.isAssertive == false
    if known.isAtomic { return askRegion(around: source, known, isArrival: isArrival, in: app) }
    // Words that are added to a name are added to a text as well.
    guard !name.isEmpty, !app.streams.contains(where: { $0.source == source }) else { return }
    var words = Words(name, of: source, on: .name, in: known)
    words.isReplacement = isChange
    words.isReturn = stand(name, of: source, known, isFirst: isFirst, at: now)
    tellOrHold(words, isArrival: isArrival || words.isReturn, at: now)
  }

  /// Asks for the whole text of the region in which an object has changed.
  private mutating func askRegion(
    around source: SourceObject,
    _ known: SourceFacts,
    isArrival: Bool,
    in app: ForeignApp
  ) {
    let root = known.region?.atomic ?? source
    app.regions[root] = known
    if isArrival { app.newcomers.insert(root) } else { app.muted.remove(root) }
    inquireOrCount(.text, root)
  }

  private mutating func tellOrHold(_ words: Words, isArrival: Bool, at now: Int64) {
    guard isArrival || words.isBeginning && isOfStream(words) else { return tell(words, at: now) }
    if !isTold(words, at: now) { hold(words, because: .arrival, at: now) }
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
      .filter { [.insertion, .name, .surroundings].contains($0.way) }
    let waiting = held.map(\.words).filter { $0.way == .surroundings }
    let known = Set(told.flatMap(\.sources) + waiting.flatMap(\.inner))
    var isArrival = app.newcomers.remove(source) != nil
    let isMuted = app.muted.remove(source) != nil
    app.standing.see(facts.region?.root ?? source, at: now)
    var drawn = draw(parts, at: start, of: source, in: app)
    if isMuted { return _ = stopHolding(parts.flatMap { [$0.source] + $0.inner }) }
    var left = Array(zip(parts, drawn.texts))[...]
    var pieces: [String] = []
    var returns: [Bool] = []
    var inner: [SourceObject] = []
    for piece in Self.pieces(of: text) {
      if !pieces.isEmpty, let (part, text) = left.popFirst() {
        let objects = [part.source] + part.inner
        if known.isDisjoint(with: objects) {
          inner += objects
          let own = stopHolding(objects)
          returns += own.map(\.isReturn)
          isArrival = isArrival || !own.isEmpty
          let isBack = own.contains(where: \.isReturn) && isReturning(source, at: now)
          pieces.append(isBack ? "" : text)
        }
      }
      // A text beside an object that has changed stands as it stood.
      if let old = drawn.pieces.firstIndex(of: AtspiSignal.plain(piece)) {
        drawn.pieces.remove(at: old)
        pieces.append("")
        drawn.isReplacement = false
      } else {
        pieces.append(piece)
      }
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

  /// Tells the whole text of a region in which something has changed, and the label of the region
  /// where it is told as a whole.
  mutating func tellRegion(
    _ source: SourceObject,
    _ text: String,
    label: String,
    at now: Int64
  ) {
    guard let app = apps[source.sender], let known = app.regions[source] else { return }
    // A second question about the same region may be under way.
    if !app.questions.dropFirst().contains(SourceQuestion(.text, source)) {
      app.regions[source] = nil
    }
    let isMuted = app.muted.remove(source) != nil
    let isArrival = app.newcomers.remove(source) != nil || isMuted
    let plain = AtspiSignal.plain(text)
    let name = known.isAtomic ? AtspiSignal.plain(label) : ""
    // An icon has no text; the label says it.
    let whole = name.isEmpty ? plain : Self.titled(name, plain)
    guard !whole.isEmpty else { return }
    var words = Words(whole, of: source, on: .region, in: known)
    words.isReplacement = known.isAtomic
    words.isReturn = stand(whole, of: source, known, isFirst: isArrival, at: now)
    if isMuted { return }
    tellOrHold(words, isArrival: isArrival, at: now)
  }

  /// Tells an alert that has appeared, by its name and the texts in it.
  mutating func tellAlert(_ source: SourceObject, _ text: String, at now: Int64) {
    guard let known = facts[source] else { return }
    let whole = Self.titled(known.name, AtspiSignal.plain(text))
    let isReturn = stand(whole, of: source, known, isFirst: true, at: now)
    guard !whole.isEmpty, !isReturn || !isReturning(source, at: now) else { return }
    let isAssertive = known.isAssertive ?? (known.role == .alert)
    var news = Words(whole, of: source, on: .appearance, isAssertive: isAssertive)
    news.language = known.language
    tell(news, at: now)
  }

  /// A name and a text behind it, unless one has the words of the other.
  private static func titled(_ name: String, _ text: String) -> String {
    let stop = name.last?.isPunctuation ?? true ? " " : ". "
    let parts = text.contains(name) ? [text] : [name, text]
    return name.contains(text) ? name : parts.joined(separator: stop)
  }

  // MARK: Regions that come with their texts

  /// Looks for regions among new objects of a page, while its program has little else to answer.
  private mutating func lookForRegions(
    in text: String,
    at start: Int64,
    _ source: SourceObject,
    _ known: SourceFacts,
    in app: ForeignApp
  ) {
    let count = text.unicodeScalars.count { $0 == AtspiSignal.objectSign }
    guard known.isOfPage, (1...Self.mostObjects).contains(count),
      app.questions.count < Self.mostAhead
    else { return }
    inquire(SourceQuestion(.regions(of: text, at: start), source))
  }

  /// Asks for the text of a region that has come; an alert shows itself, and a log brings what was
  /// written before.
  mutating func tellAppearance(of source: SourceObject, _ known: SourceFacts, isFirst: Bool) {
    guard known.isLive, known.tellsInsertions, !known.isBusy, !known.role.isNews,
      known.regionKind != .chat, let app = apps[source.sender]
    else { return }
    let isArrival = isFirst && known.isAssertive == false
    askRegion(around: source, known, isArrival: isArrival, in: app)
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
    if known.hidesText { return }
    if known.isLive { noteGone(text, at: place, of: source, at: now) }
    guard known.tellsRemovals, let app = apps[source.sender] else { return }
    if known.isBusy { return keepBusy(source, known, in: app) }
    if known.isAtomic { return askRegion(around: source, known, isArrival: false, in: app) }
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

  private static let removed = "removed: "

  /// Tells no removal of a text in whose place another has come, which is told itself.
  ///
  /// Where the region tells removals alone, the words are told that the other text has not.
  private mutating func noteReplacement(
    by text: String,
    in source: SourceObject,
    _ known: SourceFacts
  ) {
    let isOfSource = { (one: HeldNews) in one.reason == .removal && one.words.source == source }
    guard !known.tellsInsertions else { return held.removeAll(where: isOfSource) }
    guard let index = held.firstIndex(where: isOfSource) else { return }
    let gone = held[index].words.text.dropFirst(Self.removed.count).split(separator: " ")
    let come = AtspiSignal.plain(text).split(separator: " ")
    let ahead = zip(gone, come).prefix { $0 == $1 }.count
    let behind = zip(gone.dropFirst(ahead).reversed(), come.dropFirst(ahead).reversed())
      .prefix { $0 == $1 }.count
    let words = gone.dropFirst(ahead).dropLast(behind).joined(separator: " ")
    held[index].words.text = Self.removed + words
    if words.isEmpty { held.remove(at: index) }
  }

  private mutating func holdRemoval(
    _ text: String,
    _ source: SourceObject,
    _ known: SourceFacts,
    at now: Int64
  ) {
    let words = Words(Self.removed + text, of: source, on: .removal, in: known)
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
