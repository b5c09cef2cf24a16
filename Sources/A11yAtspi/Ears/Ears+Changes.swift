// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yClient

// Texts that stand in the place of others, and texts that grow.
//
// Browsers tell a change as a removal and an insertion. Chromium does so for the whole text of an
// object, though a word was added to it.
extension Ears {
  /// Texts that have gone and are remembered, of one program.
  private static let mostGone = 16
  /// The time between the removal and the insertion by which a browser tells one change; a page
  /// that empties a region and fills it a moment later has a message.
  private static let atOnce: Int64 = 50_000
  /// Texts of one program that grow at a time; of further ones each piece is told by itself.
  private static let mostStreams = 8
  /// The life of the words of a stream, which are spoken for long.
  static let streamLife = Duration.seconds(300)
  /// Regions of a program whose objects are remembered, and the newest objects of each.
  private static let mostRegions = 16
  private static let mostParts = 64

  /// The meaning of a text that has come.
  enum TextChange: Equatable {
    case news
    case replacement
    /// The words that were added.
    case growth(String)
    /// The same words once more.
    case none
  }

  func noteGone(_ text: String, at place: Int64, of source: SourceObject, at now: Int64) {
    guard let app = apps[source.sender] else { return }
    if app.gone.count == Self.mostGone { app.gone.removeFirst() }
    let parts = takeParts(text, at: place, of: source, in: app)
    app.gone.append(.init(source: source, text: text, parts: parts, place: place, time: now))
    if parts.isEmpty { app.standing.remove(source) }
  }

  /// Takes the objects that have gone, where objects alone stand in the region, or all have gone.
  private func takeParts(
    _ text: String,
    at place: Int64,
    of source: SourceObject,
    in app: ForeignApp
  ) -> [TextPart] {
    let count = text.unicodeScalars.count { $0 == AtspiSignal.objectSign }
    guard let known = app.parts[source], let start = Int(exactly: place),
      (0..<known.count).contains(start),
      count == text.unicodeScalars.count || start == 0 && count == known.count
    else { return [] }
    let gone = known[start...].prefix(count)
    app.parts[source]?.removeSubrange(gone.indices)
    return gone.map { part in
      let text = app.standing[part.source] ?? part.text
      for object in [part.source] + part.inner { app.standing.remove(object) }
      return TextPart(part.source, text, inner: part.inner)
    }
  }

  /// Takes the text in whose place another has come.
  private func takeGone(
    at place: Int64,
    of source: SourceObject,
    at now: Int64
  ) -> ForeignApp.GoneText? {
    guard let app = apps[source.sender] else { return nil }
    app.gone.removeAll { now - $0.time > Self.atOnce }
    let index = app.gone.lastIndex { $0.source == source && $0.place == place }
    return index.map { app.gone.remove(at: $0) }
  }

  /// Compares a text that has come with the one that has gone from its place.
  func change(_ text: String, at place: Int64, of source: SourceObject, at now: Int64) -> TextChange
  {
    let gone = takeGone(at: place, of: source, at: now)
    let hasObjects = text.unicodeScalars.contains(AtspiSignal.objectSign)
    guard let gone else {
      // Words behind the text of an object are added to it; objects are messages of their own.
      let isBehindText = place > 0 && !hasObjects && apps[source.sender]?.parts[source] == nil
      return isBehindText ? .growth(text) : .news
    }
    if hasObjects {
      apps[source.sender]?.redrawn[source] = gone
      return .replacement
    }
    guard let added = Self.rest(of: text, behind: gone.text) else { return .replacement }
    if added.allSatisfy(\.isWhitespace) { return .none }
    return AtspiSignal.plain(gone.text).isEmpty ? .news : .growth(String(added))
  }

  /// Whether a text in a field takes the place of another at once, as Chromium has the address bar
  /// say a suggestion; one who types puts a character there, or goes on with a word.
  func isSuggestion(
    _ text: String,
    at place: Int64,
    in source: SourceObject,
    at now: Int64
  ) -> Bool {
    guard let gone = takeGone(at: place, of: source, at: now)?.text else { return false }
    return text.count > 1 && !text.hasPrefix(gone) && !gone.hasPrefix(text)
  }

  /// The end of a text that begins with another, apart from spaces; nil where it does not.
  ///
  /// Chromium tells a text without the space at its end, and then with it.
  private static func rest(of text: String, behind beginning: String) -> Substring? {
    var rest = text[...]
    for sign in beginning where !sign.isWhitespace {
      rest = rest.drop(while: \.isWhitespace)
      guard rest.popFirst() == sign else { return nil }
    }
    return rest
  }

  // MARK: Texts that grow

  mutating func grow(
    _ source: SourceObject,
    _ known: SourceFacts,
    by text: String,
    at now: Int64
  ) {
    guard let app = apps[source.sender] else { return }
    noteGrowing(known.region?.root ?? source, in: app)
    var stream = takeStream(source, known, in: app, at: now)
    var text = text
    // A beginning that still waits is told with it.
    let isBeginning = { (one: HeldNews) in
      one.reason == .arrival && (one.words.source == source || one.words.inner == [source])
    }
    let last = recentlyTold(in: app, within: Self.sameChange, at: now)
      .last { $0.sources.contains(source) && $0.way != .growth }
    if let beginning = held.first(where: isBeginning)?.words {
      held.removeAll(where: isBeginning)
      let space = beginning.hasSpace ? " " : ""
      let isRead = Self.hasRead(beginning.text, text)
      text = isRead ? beginning.text : "\(beginning.text)\(space)\(text)"
    } else if let last, last.way != .insertion, Self.hasRead(last.text, text) {
      // The text of an object may have been read after it grew.
      return
    }
    guard app.streams.count < Self.mostStreams else {
      return tell(Words(AtspiSignal.plain(text), of: source, on: .growth, in: known), at: now)
    }
    stream.grow(by: text, at: now)
    app.streams.append(stream)
    tellStreams(of: app, at: now)
  }

  private func noteGrowing(_ root: SourceObject, in app: ForeignApp) {
    guard app.growing.last != root else { return }
    app.growing.removeAll { $0 == root }
    if app.growing.count == Self.mostRegions { app.growing.removeFirst() }
    app.growing.append(root)
  }

  private static func hasRead(_ read: String, _ end: String) -> Bool {
    read.hasSuffix(AtspiSignal.plain(end))
  }

  private mutating func takeStream(
    _ source: SourceObject,
    _ known: SourceFacts,
    in app: ForeignApp,
    at now: Int64
  ) -> TextStream {
    if let index = app.streams.firstIndex(where: { $0.source == source }) {
      return app.streams.remove(at: index)
    }
    let told = app.lastTold.last { $0.sources.contains(source) }
    return TextStream(source, known, told: told?.text.count ?? 0, at: told?.time ?? now)
  }

  /// Forgets the rest of a text in whose place another stands.
  func endStream(of source: SourceObject) {
    apps[source.sender]?.streams.removeAll { $0.source == source }
  }

  /// Tells the sentences of a program that are complete, and what has rested.
  mutating func tellStreams(of app: ForeignApp, at now: Int64) {
    for index in app.streams.indices {
      let text = app.streams[index].take(at: now)
      let (source, facts) = (app.streams[index].source, app.streams[index].facts)
      if !text.isEmpty { tell(Words(text, of: source, on: .growth, in: facts), at: now) }
    }
    app.streams.removeAll { $0.isTold && $0.isSpoken(at: now) }
  }

  /// The time at which a stream has something to tell.
  var streamsDue: Int64? {
    apps.values.flatMap(\.streams).filter { !$0.isTold }.map(\.due).min()
  }

  // MARK: Objects in the place of others

  /// The words of objects that are news, as a region draws them, and those by which one has grown.
  struct DrawnParts {
    /// The words of each object; none where they stood there before.
    var texts: [String]
    var growth: String?
    /// The texts between the objects that stood there before.
    var pieces: [String] = []
    /// Whether all that stood there before has gone.
    var isReplacement = false
  }

  /// Compares the objects of a region with those that stood in their place, if any did.
  ///
  /// Pages that draw their messages anew tell each of them again, with one more.
  mutating func draw(
    _ parts: [TextPart],
    at place: Int64,
    of source: SourceObject,
    in app: ForeignApp
  ) -> DrawnParts {
    let now = parts.map { TextPart($0.source, AtspiSignal.plain($0.text), inner: $0.inner) }
    if app.parts[source] != nil || app.parts.count < Self.mostRegions {
      let known = app.parts[source] ?? []
      let start = min(max(0, Int(clamping: place)), known.count)
      app.parts[source] = (known[..<start] + now + known[start...]).suffix(Self.mostParts)
    }
    for part in now { app.standing.keep(part.text, of: part.source, at: lastTime) }
    var drawn = DrawnParts(texts: now.map(\.text))
    guard let gone = app.redrawn.removeValue(forKey: source) else { return drawn }
    let known = gone.parts
    if known.isEmpty, facts[source]?.regionKind == .chat {
      // Firefox tells nothing of the messages that a page has brought along; new ones stand behind.
      let count = gone.text.unicodeScalars.count { $0 == AtspiSignal.objectSign }
      for index in now.indices.prefix(count) { drawn.texts[index] = "" }
    }
    drawn.pieces = Self.pieces(of: gone.text).map(AtspiSignal.plain).filter { !$0.isEmpty }
    var before = known.map(\.text)
    for index in now.indices {
      guard let same = before.firstIndex(of: now[index].text) else { continue }
      before.remove(at: same)
      drawn.texts[index] = ""
    }
    // The message that has grown stands where it stood.
    if let index = zip(now, known).map({ $0.text.hasPrefix($1.text) }).lastIndex(of: true),
      before.contains(known[index].text), !known[index].text.isEmpty, !drawn.texts[index].isEmpty
    {
      drawn.growth = String(now[index].text.dropFirst(known[index].text.count))
      drawn.texts[index] = ""
    }
    drawn.isReplacement = !drawn.texts.contains("")
    return drawn
  }

  /// The texts between the objects in a text.
  static func pieces(of text: String) -> [String] {
    text.unicodeScalars.split(separator: AtspiSignal.objectSign, omittingEmptySubsequences: false)
      .map { String($0) }
  }

  // MARK: Texts that come back

  /// The time around a move of the focus in which a page comes back.
  private static let returnTime: Int64 = 300_000

  /// Keeps the text of an object, and tells whether a new object brings a text that stood before.
  ///
  /// Chromium makes all objects of a page anew when a dialog over it closes.
  func stand(
    _ text: String,
    place: Int64 = 0,
    of source: SourceObject,
    _ known: SourceFacts,
    isFirst: Bool,
    at now: Int64
  ) -> Bool {
    guard let app = apps[source.sender] else { return false }
    let root = known.region?.root ?? source
    app.standing.see(root, at: now)
    let whole = AtspiSignal.plain(place == 0 ? text : (app.standing[source] ?? "") + text)
    guard !whole.isEmpty else { return false }
    let time = now - Self.returnTime
    let isNew = isFirst && known.isOfPage
    let isReturn = isNew && app.standing.takeBack(whole, by: source, in: root, since: time)
    app.standing.keep(whole, of: source, at: now)
    return isReturn
  }

  /// Whether a page comes back now: its focus comes, too.
  func isReturning(_ source: SourceObject, at now: Int64) -> Bool {
    apps[source.sender].map { now - $0.moved <= Self.returnTime } ?? false
  }
}

// Output of a terminal.
extension Ears {
  /// Tells the lines that a program writes into the terminal with the focus.
  ///
  /// A text that goes on where the last one has ended is typed: its echo is the reader's. Output
  /// begins on a new line.
  mutating func hearOutput(
    _ text: String,
    at start: Int64,
    of source: SourceObject,
    _ known: SourceFacts,
    at now: Int64
  ) {
    guard let app = apps[source.sender], app.focus == source else { return }
    let isTyped = start == app.lineEnd
    // The screen is filled up with empty lines.
    let end = text.unicodeScalars.lastIndex { !Character($0).isNewline }
    let written = end.map { String(text.unicodeScalars[...$0]) } ?? ""
    app.lineEnd = start + Int64(written.unicodeScalars.count)
    var lines = written.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)[...]
    if isTyped { lines.removeFirst() }
    var output = lines.map { AtspiSignal.plain(String($0)) }.filter { !$0.isEmpty }
    guard let last = output.popLast() else { return }
    output = output.map(Self.sentence)
    // A line that has not been told yet ends here; the last one may be a prompt.
    if !isTyped, app.streams.contains(where: { $0.source == source && $0.isOpen }) {
      output.insert(".\n", at: 0)
    }
    grow(source, known, by: output.joined() + last, at: now)
  }

  private static func sentence(_ line: String) -> String {
    line.last?.isPunctuation ?? true ? "\(line)\n" : "\(line).\n"
  }

  /// Follows the end of the line when text before it goes.
  func noteErased(_ text: String, at place: Int64, of source: SourceObject) {
    guard let app = apps[source.sender], app.focus == source, let end = app.lineEnd else { return }
    let count = Int64(text.unicodeScalars.count)
    app.lineEnd = max(min(place, end), end - count)
  }
}
