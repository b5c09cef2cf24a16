// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient

// News whose source is known, and words on their way out: at once or after a short wait, and once.
extension Ears {
  /// The time within which two ears hear one change.
  static let sameChange: Int64 = 250_000
  /// The time for which Chromium may tell of the same objects again, by the object around them.
  static let sameObjects: Int64 = 2_000_000
  /// Changes that are remembered for that, of one program.
  private static let mostTold = 32
  /// The wait for the end of loading, and for a text in the place of one that has gone.
  static let shortWait: Int64 = 100_000
  /// The wait for more behind the first words of a message, which may be written word by word: more
  /// than Chromium, which tells its changes every 150 ms, is silent between two of them.
  private static let beginningWait: Int64 = 250_000
  /// The same where a message was written so before: half a sentence rests so long.
  private static let streamWait: Int64 = 1_000_000
  /// News that wait so, of all programs; further ones do not wait.
  private static let mostHeld = 64

  mutating func consider(
    _ news: AtspiSignal.News,
    _ source: SourceObject,
    _ known: SourceFacts,
    isFirst: Bool = false,
    at now: Int64
  ) {
    switch news {
    // GTK 4 tells a new number in a spin button as its text alone.
    case .inserted where known.role.hasValue && apps[source.sender]?.focus == source:
      inquireOrCount(.value, source)
    case .inserted(let text, let start) where isLineWithFocus(source, known):
      // A choice from a menu may come just behind the focus.
      let isOfFocus = isReturning(source, at: now)
      if isSuggestion(text, at: start, in: source, at: now) || isOfFocus {
        inquireOrCount(.choice, source)
      }
    case .removed(let text, let place) where isLineWithFocus(source, known):
      noteGone(text, at: place, of: source, at: now)
    case .inserted(let text, let start):
      hearInsertion(text, at: start, source, known, isFirst: isFirst, at: now)
    case .removed(let text, let place): hearRemoval(text, at: place, source, known, at: now)
    case .appeared: tellAppearance(of: source, known, isFirst: isFirst)
    case .renamed(let name): hearName(name, source, known, isFirst: isFirst, at: now)
    case .shown:
      let isNotice = noticeServer != nil && apps[source.sender]?.process == noticeServer
      if known.role.isNews, !isNotice { inquireOrCount(.labels, source) }
    case .valueChanged:
      let isFocused = apps[source.sender]?.focus == source
      guard known.role == .progressBar || isFocused, known.role != .passwordText else { return }
      inquireOrCount(.value, source)
    case .announcement, .busy, .focused, .state, .activeDescendant, .window, .loaded: break
    case .childrenChanged, .described: break
    }
  }

  /// Announces words, unless the same change was heard on another way.
  mutating func tell(_ words: Words, at now: Int64) {
    guard let app = apps[words.source.sender] else { return }
    let isBehind = held.contains {
      $0.reason == .arrival && $0.words.source.sender == words.source.sender
    }
    // Words keep their order; urgent ones have none.
    if isBehind, !words.isAssertive { return hold(words, because: .arrival, at: now) }
    announce(words, of: app, at: now)
  }

  private mutating func announce(_ words: Words, of app: ForeignApp, at now: Int64) {
    guard !isTold(words, at: now) else { return }
    noteTold(words, in: app, at: now)
    // What stands in the place of other words has one last value, and so have a status and a timer.
    let isValue = words.isReplacement && !words.isAssertive
    let isOneThing = words.kind == .status || words.kind == .timer
    var event = Event.announcement(
      SpeechText(runs: [.init(words.text, lang: words.language)]),
      priority: words.isAssertive ? .high : .default,
      kind: words.kind,
      mode: isValue ? .latest : nil,
      // Each message is one of its own, which cuts none of its equals.
      queue: words.isAssertive ? nil : true
    ).element(words.element.element)
    if isOneThing || isValue {
      event = event.key((isOneThing ? words.element : words.source).element)
    }
    if words.way == .growth { event = event.timeToLive(Self.streamLife) }
    post(event, of: words.source.sender, at: now)
  }

  /// Whether the change of which words tell was told already.
  mutating func isTold(_ words: Words, at now: Int64) -> Bool {
    guard let app = apps[words.source.sender] else { return false }
    let recent = recentlyTold(in: app, within: Self.sameChange, at: now)
    return recent.contains { Self.isSame($0, words) }
  }

  func noteTold(_ words: Words, in app: ForeignApp, at now: Int64) {
    if app.lastTold.count == Self.mostTold { app.lastTold.removeFirst() }
    app.lastTold.append(
      .init(sources: [words.source] + words.inner, way: words.way, text: words.text, time: now)
    )
  }

  /// The changes of a program that were told within the last moments.
  mutating func recentlyTold(
    in app: ForeignApp,
    within span: Int64,
    at now: Int64
  ) -> [ForeignApp.Told] {
    app.lastTold.removeAll { now - $0.time > Self.sameObjects }
    return app.lastTold.filter { now - $0.time <= span }
  }

  /// Whether words tell a change that was told already.
  ///
  /// Two insertions are two changes; a region that was asked twice about its text has changed once.
  private static func isSame(_ told: ForeignApp.Told, _ words: Words) -> Bool {
    let isOneSource = told.sources.contains(words.source)
    if told.way == words.way {
      return words.way == .region && isOneSource && told.text == words.text
    }
    let ways = [told.way, words.way]
    if ways.contains(.removal) || ways.contains(.growth) { return false }
    // The text of a region is older than what comes behind it.
    if told.way == .region, isOneSource { return told.text.contains(words.text) }
    return isOneSource || told.text == words.text
  }

  // MARK: Short waits

  mutating func hold(_ words: Words, because reason: HeldNews.Reason, at now: Int64) {
    guard held.count < Self.mostHeld else {
      if let app = apps[words.source.sender] { announce(words, of: app, at: now) }
      return
    }
    var wait = Self.shortWait
    if reason == .arrival, words.isBeginning {
      wait = isOfStream(words) ? Self.streamWait : Self.beginningWait
    }
    held.append(HeldNews(time: now, due: now + wait, reason: reason, words: words))
  }

  /// Whether words are of a region in which a message was written word by word before.
  func isOfStream(_ words: Words) -> Bool {
    apps[words.source.sender]?.growing.contains(words.root) ?? false
  }

  /// Takes back what new objects have said by themselves.
  mutating func stopHolding(_ objects: [SourceObject]) -> [Words] {
    let isTheirs = { (one: HeldNews) in
      one.reason == .arrival && objects.contains(one.words.source)
    }
    let words = held.filter(isTheirs).map(\.words)
    held.removeAll(where: isTheirs)
    return words
  }

  /// Tells nothing of the text that a page has brought along: the user reads it with the page.
  ///
  /// The texts that are being asked for are kept as those that stand there.
  mutating func dropArrivals(of sender: String, in app: ForeignApp) {
    held.removeAll { $0.reason == .arrival && $0.words.source.sender == sender }
    let asked = app.questions.filter(\.topic.isOfText).map(\.source)
    app.muted.formUnion(app.newcomers.intersection(asked))
    app.newcomers = []
  }

  /// Tells the news whose wait is over.
  mutating func tellHeld(at now: Int64) {
    while let first = held.first, first.due <= now {
      held.removeFirst()
      // A page that comes back is no news.
      let isNews = !first.words.isReturn || !isReturning(first.words.source, at: first.time)
      if isNews, let app = apps[first.words.source.sender] {
        announce(first.words, of: app, at: now)
      }
    }
  }
}

/// Words that are to be told, with the way on which they came.
struct Words {
  var text: String
  let source: SourceObject
  /// The objects within the source whose texts are among the words.
  var inner: [SourceObject]
  let way: ForeignApp.Ear
  let isAssertive: Bool
  let kind: AnnouncementClass?
  /// The element that the news is about.
  let element: SourceObject
  /// The object that begins their region.
  var root: SourceObject
  /// The language, if it is another than that of the session.
  var language: String?
  /// Whether they stand in the place of others, so that the newest are the ones that count.
  var isReplacement = false
  /// Whether they are a new text of a page, to which more may be written.
  var mayGrow = false
  /// Whether a space stands behind them, where more may follow.
  var hasSpace = false
  /// Whether they stood on the page already, before it went and came back.
  var isReturn = false

  init(
    _ text: String,
    of source: SourceObject,
    inner: [SourceObject] = [],
    on way: ForeignApp.Ear,
    isAssertive: Bool,
    kind: AnnouncementClass? = nil,
    element: SourceObject? = nil
  ) {
    self.text = text
    self.source = source
    self.inner = inner
    self.way = way
    self.isAssertive = isAssertive
    self.kind = kind
    self.element = element ?? source
    root = source
  }

  /// Words of a live region.
  ///
  /// News of a kind are about the region as a whole, since the newest replaces those before it.
  init(
    _ text: String,
    of source: SourceObject,
    inner: [SourceObject] = [],
    on way: ForeignApp.Ear,
    in known: SourceFacts
  ) {
    let kind = known.regionKind
    self.init(
      text,
      of: source,
      inner: inner,
      on: way,
      isAssertive: known.isAssertive ?? false,
      kind: kind,
      element: kind == nil ? source : known.region?.root ?? source
    )
    language = known.language
    root = known.region?.root ?? source
    let isText = way == .insertion || way == .surroundings
    let isMessage = kind == nil || kind == .chat
    mayGrow = isText && isMessage && known.isOfPage && !isAssertive
  }
}

extension Words {
  /// Whether more is likely to follow: one or two words, and no end of a sentence.
  var isBeginning: Bool {
    let isShort = text.split(separator: " ", maxSplits: 2).count <= 2
    return mayGrow && !isReplacement && isShort && text.last?.isPunctuation == false
  }
}

/// Words that wait for what may come with them.
struct HeldNews {
  enum Reason {
    /// A new object of a page: a page that ends loading now has brought it along.
    case arrival
    /// A text that has gone: a new text in its place is a change, and no removal.
    case removal
  }

  /// The time at which they came.
  let time: Int64
  let due: Int64
  let reason: Reason
  var words: Words
}
