// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient

/// A program on the accessibility bus, with everything that is under way for it.
final class ForeignApp {
  /// The name of the program; nil until it has told it.
  var name: String?
  /// Its process, as far as that is known.
  var process: Int64?
  /// Whether it is left alone.
  var isSilent = false
  /// Events that wait for the name.
  var unnamed: [Event] = []
  /// Questions in their order; the first one is with the program.
  var questions: [SourceQuestion] = []
  /// Signals that wait for the facts about their source.
  var waiting: [SourceObject: [AtspiSignal.News]] = [:]
  /// The object with the focus, and the facts by which it was told.
  var focus: SourceObject?
  var control: ControlFacts?
  /// The dialog around it, its title, and its text where that is to be told.
  var dialog: ControlFacts.Dialog?
  var dialogTitle = ""
  var dialogText: String?
  /// Whether the bus has the element, and waits for its page to move there.
  var hasUntoldFocus = false
  /// The pages that have loaded, the newest last.
  var loadedPages: [SourceObject] = []
  /// The time at which the focus on a page is told that has not loaded until then.
  var pageDue: Int64?
  /// The page whose name was told with the focus on it, while it was loading.
  var toldPage: SourceObject?
  /// The list or table whose member has the focus, and that member.
  var container: (source: SourceObject, member: SourceObject)?
  /// The object whose focus is being looked at.
  var comingFocus: SourceObject?
  /// The item whose choice was taken for the focus, in a window that tells none.
  var chosen: SourceObject?
  /// Objects that are asked because the focus has come to them.
  var askedFocus: Set<SourceObject> = []
  /// An object with the focus that did not answer, and the time at which it is asked once more; nil
  /// when it was.
  var retry: (source: SourceObject, due: Int64?)?
  var window: SourceObject?
  /// The title of that window.
  var title = ""
  var windows: Set<SourceObject> = []
  /// Whether the program has signals for its windows.
  var hasWindowSignals = false
  /// The time by which the title of the window is told, with its focus or without; nil when it was.
  var titleDue: Int64?
  /// The time at which the focus of a new window has rested; nil where none is waited for.
  var settleDue: Int64?
  /// The titled window that was left last, and whether for a menu alone.
  var covered: SourceObject?
  var isCoveredByMenu = false
  /// The object that has become active last, of a program without such signals, until it answers.
  var activated: SourceObject?
  /// The time at which that is asked once more; the end of time when it was.
  var activatedDue: Int64?
  /// A focus that has come before its window.
  var earlyFocus: (source: SourceObject, control: ControlFacts)?
  /// Whether the bus has elements of a window of which the program has not told.
  var hasUntoldWindow = false
  /// Whether it shows pages, the names of whose objects may be news.
  var hasPages = false
  /// Elements that the bus has been told of, the oldest first.
  var elements: [SourceObject] = []
  /// The windows of these elements, as far as they are told.
  var homes: [SourceObject: SourceObject] = [:]
  /// Changes of busy regions that are told when they are free, the oldest first.
  var busy: [BusyChange] = []
  /// Changes between busy and free, by which older facts are known.
  var busyTurn = 0
  /// The facts that led to a question for the whole text of a region, by the region.
  var regions: [SourceObject: SourceFacts] = [:]
  /// Objects of a page that are new, and whose texts are asked for.
  var newcomers: Set<SourceObject> = []
  /// Those among them whose texts a page has brought along: they are known, and not told.
  var muted: Set<SourceObject> = []
  /// The texts in regions that tell removals.
  var members: [SourceObject: [TextPart]] = [:]
  /// Regions in which an object has gone, and its text is looked for.
  var losses: Set<SourceObject> = []
  /// Texts that have gone a moment ago, by which a text in their place is known.
  var gone: [GoneText] = []
  /// Regions in which a text with objects stands in the place of another.
  var redrawn: [SourceObject: GoneText] = [:]
  /// The objects of regions as they stood last.
  var parts: [SourceObject: [TextPart]] = [:]
  /// The texts of live objects as they stand.
  var standing = StandingTexts()
  /// The time of the last sign that the focus moves.
  var moved: Int64 = 0
  /// The place behind the last text in the terminal with the focus.
  var lineEnd: Int64?
  /// Texts that grow, the oldest first.
  var streams: [TextStream] = []
  /// The regions in which texts have grown, the newest last.
  var growing: [SourceObject] = []
  /// The last changes that were told, to know the same change on another way.
  var lastTold: [Told] = []
  /// Events that may go out now, in the budget of the app.
  var credit = Credit()
  /// The newest event over the budget.
  var late: Event?

  /// A change in a busy region, which is told when the region is free.
  struct BusyChange {
    /// The object that is busy, as far as it is known.
    let place: SourceObject?
    /// The object whose text tells what is there.
    let source: SourceObject
    let facts: SourceFacts
  }

  /// A text that has gone from a place.
  struct GoneText {
    let source: SourceObject
    let text: String
    /// The objects in the text.
    let parts: [TextPart]
    let place: Int64
    let time: Int64
  }

  /// A change of an object that was told.
  struct Told {
    /// The object, and those whose texts were told with it.
    let sources: [SourceObject]
    let way: Ear
    let text: String
    let time: Int64
  }

  /// The ways on which one change may come.
  enum Ear {
    case announcement
    case insertion
    /// By a new name of an object.
    case name
    case appearance
    /// By the whole text of the region.
    case region
    /// By the text of the object around it.
    case surroundings
    case removal
    /// By the words that have come to a text that grows.
    case growth
  }

  /// A budget that fills again with time.
  struct Credit {
    /// Events at once; a page that loads has fewer news.
    static let most: Int64 = 256
    /// The time in which one more is earned: a hundred in a second.
    static let microseconds: Int64 = 10_000

    private var left = most
    private var counted: Int64 = 0

    /// Takes one, if there is one.
    mutating func spend(at now: Int64) -> Bool {
      let earned = (now - counted) / Self.microseconds
      if earned > 0 {
        left = min(Self.most, left + earned)
        counted = now
      }
      guard left > 0 else { return false }
      left -= 1
      return true
    }
  }
}

/// The texts of the live objects of a program as they stand, and the regions that are known.
struct StandingTexts {
  private var texts: [SourceObject: String] = [:]
  private var times: [SourceObject: Int64] = [:]
  /// The objects with a text, the one that was changed last at the end.
  private var order: [SourceObject] = []
  /// The regions by the time at which they were seen first, the oldest first.
  private var regions: [(root: SourceObject, time: Int64)] = []

  private static let mostTexts = 128
  private static let mostRegions = 64

  subscript(source: SourceObject) -> String? { texts[source] }

  /// Keeps the text of an object.
  mutating func keep(_ text: String, of source: SourceObject, at now: Int64) {
    remove(source)
    (texts[source], times[source]) = (text, now)
    order.append(source)
    if order.count > Self.mostTexts { remove(order[0]) }
  }

  mutating func remove(_ source: SourceObject) {
    guard texts.removeValue(forKey: source) != nil else { return }
    times[source] = nil
    order.removeAll { $0 == source }
  }

  /// Forgets what is older than a time.
  mutating func forget(before time: Int64) {
    for source in order.filter({ times[$0] ?? 0 < time }) { remove(source) }
    regions.removeAll { $0.time < time }
  }

  mutating func see(_ root: SourceObject, at now: Int64) {
    guard !regions.contains(where: { $0.root == root }) else { return }
    if regions.count == Self.mostRegions { regions.removeFirst() }
    regions.append((root, now))
  }

  /// Has a new object take the place of one with the same text, which has gone with its page or
  /// behind a dialog; false where there is none, or where the region is an old one.
  mutating func takeBack(
    _ text: String,
    by source: SourceObject,
    in root: SourceObject,
    since time: Int64
  ) -> Bool {
    guard regions.contains(where: { $0.root == root && $0.time >= time }),
      let old = order.first(where: { $0 != source && texts[$0] == text })
    else { return false }
    remove(old)
    return true
  }
}

/// A text that grows by words, such as an assistant's answer, on its way to the ear in whole
/// sentences.
struct TextStream {
  let source: SourceObject
  let facts: SourceFacts
  /// Sentences that are complete and wait for those before them to be spoken.
  private var sentences = ""
  /// The beginning of a sentence.
  private var beginning = ""
  /// The time at which the text has rested.
  private var rest: Int64 = 0
  /// The time at which the words that were told have about been spoken.
  private var free: Int64

  /// The rest after which half a sentence is told.
  private static let pause: Int64 = 1_000_000
  /// The same for a line of a terminal, which tells no end of a line.
  private static let linePause: Int64 = 150_000
  /// With more it is told at once, to wait at the bus.
  private static let mostCharacters = 4_000
  /// The time in which a character is spoken: sentences that come faster are told together, so that
  /// a long answer is few messages.
  private static let perCharacter: Int64 = 50_000

  /// A text of which this much was told at a time.
  init(_ source: SourceObject, _ facts: SourceFacts, told: Int = 0, at time: Int64 = 0) {
    (self.source, self.facts) = (source, facts)
    free = time + Int64(told) * Self.perCharacter
  }

  mutating func grow(by text: String, at now: Int64) {
    beginning += text
    rest = now + (facts.role == .terminal ? Self.linePause : Self.pause)
    if let end = Self.endOfSentences(in: beginning) {
      sentences += beginning[..<end]
      beginning = String(beginning[end...])
    }
    if sentences.count + beginning.count >= Self.mostCharacters { rest = now }
  }

  /// The time at which there is something to tell.
  var due: Int64 { sentences.isEmpty ? rest : min(rest, free) }

  /// Whether a sentence or a line has begun and was not told.
  var isOpen: Bool { !beginning.isEmpty }

  /// Whether everything has been told.
  var isTold: Bool { sentences.isEmpty && beginning.isEmpty }

  /// Whether the words that were told have about been spoken.
  func isSpoken(at now: Int64) -> Bool { now >= free }

  /// Takes what is to be told now: the sentences that are complete, or all after a rest.
  mutating func take(at now: Int64) -> String {
    guard now >= due else { return "" }
    if now >= rest { (sentences, beginning) = (sentences + beginning, "") }
    let words = AtspiSignal.plain(sentences)
    sentences = ""
    free = now + Int64(words.count) * Self.perCharacter
    return words
  }

  private static let stops: Set<Character> = [".", "!", "?", "…", "。", "！", "？", "\n"]
  private static let closings: Set<Character> = ["\"", "'", ")", "]", "”", "’", "»"]

  /// The place behind the last sentence that is complete.
  ///
  /// A stop ends one if a space follows, or nothing; behind a digit it may stand within a number.
  private static func endOfSentences(in text: String) -> String.Index? {
    var end: String.Index?
    var isBehindStop = false
    var last: Character = " "
    for index in text.indices {
      let sign = text[index]
      let isPart = closings.contains(sign) || stops.contains(sign)
      let isApart = sign.isWhitespace || last.isNewline || !(isPart || last.isASCII)
      if isBehindStop, isApart { end = index }
      isBehindStop = stops.contains(sign) || (isBehindStop && isPart)
      last = sign
    }
    let isNumber = text.dropLast().last?.isNumber ?? false
    return isBehindStop && !(isNumber && last == ".") ? text.endIndex : end
  }
}
