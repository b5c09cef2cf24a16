// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
internal import A11yRules
public import A11yWire

/// The words of an event: runs of text with their attributes, as the log has them.
struct SpokenText: Sendable {
  /// The runs, without the brackets of their list.
  private(set) var runs: [UInt8] = []
  /// Characters of all runs together; of a text that the log does not have, the most there can be.
  private(set) var length: Int64 = 0
  /// Its print, where that was made; that of a text of one run is made when somebody asks for it.
  private var knownPrint: Fingerprint?
  /// The log has its length alone.
  private(set) var isRedacted = false

  static let nothing = SpokenText()

  var isEmpty: Bool { runs.isEmpty }

  private init() {}

  /// A text of our own, in the language of an element or else the user's.
  init(_ text: String, language: [UInt8]? = nil) {
    var out = ByteBuffer(capacity: 64 + text.utf8.count)
    out.append("{")
    out.append(member: "text", text)
    if let language {
      out.append(",\"lang\":\"")
      out.append(language.span)
      out.append("\"")
    }
    out.append("}")
    runs = out.bytes.array
    length = Int64(text.unicodeScalars.count)
  }

  /// A text as JSON has it between its quotes, and its language if it has one of its own.
  init(written text: Span<UInt8>, language: [UInt8]?) {
    runs = text.array(between: "{\"text\":\"", language == nil ? "\"}" : "\",\"lang\":\"")
    if let language { runs += language + Array("\"}".utf8) }
    // An escape stands for another character than those that it is made of.
    let isEscaped = text.firstIndex(of: UInt8(ascii: "\\")) != nil
    length = Int64(isEscaped ? text.unescaped.span.scalarCount : text.scalarCount)
  }

  /// A text of one run, as JSON has it between its quotes.
  var written: [UInt8]? { isRedacted ? nil : place.map { Array(runs[$0]) } }

  /// The place of the text of one run; nil where there are several, or none.
  private var place: Range<Int>? {
    let head: StaticString = "{\"text\":\""
    let runs = self.runs.span
    let start = head.utf8CodeUnitCount
    guard runs.begins(with: head) else { return nil }
    var end = start
    var escape = runs.firstIndex(of: UInt8(ascii: "\\"), from: end)
    while let quote = runs.firstIndex(of: UInt8(ascii: "\""), from: end) {
      end = quote
      guard let escaped = escape, escaped < quote else { break }
      // Whatever stands behind a backslash belongs to the text.
      end = escaped + 2
      escape = runs.firstIndex(of: UInt8(ascii: "\\"), from: end)
    }
    // Behind it nothing but the language may follow; where others follow, no rule looks at it.
    return runs.firstIndex(of: UInt8(ascii: "{"), from: end) == nil ? start..<end : nil
  }

  /// Whether all its words are known.
  var isKnown: Bool { !isRedacted && !isEmpty }

  /// Tells it from other texts; nil where its words are not known.
  var print: Fingerprint? {
    if let knownPrint { return knownPrint }
    guard !isRedacted, let place else { return nil }
    let words = runs.span.extracting(place)
    let isEscaped = words.firstIndex(of: UInt8(ascii: "\\")) != nil
    return isEscaped ? Fingerprint(words.unescaped.span) : Fingerprint(words)
  }

  /// Makes the print, for whoever is going to ask for it once more.
  mutating func keepPrint() { knownPrint = print }

  /// The same, cut off behind so many characters.
  func shortened(to limit: Int64) -> SpokenText {
    guard length > limit else { return self }
    var short = ByteBuffer(capacity: runs.count)
    var left = Int(limit)
    let isRead = Self.read(runs) { list, run in
      guard left > 0 else { return }
      if !short.isEmpty { short.append(",") }
      let text = list.string("text", of: run) ?? ""
      let part = String(String.UnicodeScalarView(text.unicodeScalars.prefix(left)))
      left -= part.unicodeScalars.count
      short.append("{")
      var key = run + 1
      while key < list.end(run) {
        short.append(memberText: list.string(key))
        if list.isKey(key, "text") {
          short.append(json: part)
        } else {
          list.copyAll(key + 1, into: &short)
        }
        key = list.end(key + 1)
      }
      short.append("}")
    }
    guard isRead else { return self }
    return SpokenText(
      runs: short.bytes.array,
      length: limit,
      print: print,
      isRedacted: false
    )
  }

  /// The same from the run on that has a mark; all of it where none has.
  func starting(at mark: Name) -> SpokenText {
    guard !isRedacted else { return self }
    var length: Int64 = 0
    let rest = Self.rest(of: runs, startingAt: mark) { length += Int64($0.unicodeScalars.count) }
    return rest.map {
      SpokenText(runs: $0, length: length, print: print, isRedacted: false)
    } ?? self
  }

  /// Runs from the one on that has a mark; all of them where none has.
  static func runs(_ runs: [UInt8], startingAt mark: Name) -> [UInt8] {
    rest(of: runs, startingAt: mark) { _ in } ?? runs
  }

  private static func rest(
    of runs: [UInt8],
    startingAt mark: Name,
    onText: (String) -> Void
  ) -> [UInt8]? {
    var rest = ByteBuffer(capacity: runs.count)
    var isPast = false
    _ = read(runs) { list, run in
      isPast = isPast || list.name("mark", of: run) == mark
      guard isPast else { return }
      if !rest.isEmpty { rest.append(",") }
      list.copyAll(run, into: &rest)
      onText(list.string("text", of: run) ?? "")
    }
    return isPast ? rest.bytes.array : nil
  }

  /// Reads runs, one after the other; false where they are none.
  fileprivate static func read(_ runs: [UInt8], _ body: (JSONDocument, JSONIndex) -> Void) -> Bool {
    var out = ByteBuffer(capacity: runs.count + 64)
    out.append("{\"runs\":[")
    out.append(runs.span)
    out.append("]}")
    let reader = JSONReader(limit: out.count)
    do throws(JSONFault) { try reader.read(out.bytes) } catch { return false }
    let list = reader.document
    guard let whole = list.member("runs", of: list.root) else { return false }
    var run = whole + 1
    while run < list.end(whole) {
      body(list, run)
      run = list.end(run)
    }
    return true
  }

  /// Runs that are made already.
  init(runs: [UInt8], length: Int64, print: Fingerprint?, isRedacted: Bool) {
    self.runs = runs
    self.length = length
    knownPrint = print
    self.isRedacted = isRedacted
  }

  /// The text of an event, be it a string, a list of runs, or a length alone.
  init(of event: borrowing WireEvent) {
    self.init()
    if let length = event.string(.redacted).flatMap(LengthClass.init(rawValue:)) {
      self = SpokenText(redacted: length)
    } else if let value = event.member(.text) {
      self = SpokenText(value, in: event.line)
    }
  }

  init(redacted length: LengthClass) {
    var out = ByteBuffer(capacity: 64)
    out.append("{")
    out.append(member: "redacted", length.rawValue)
    out.append("}")
    runs = out.bytes.array
    self.length = length.most
    isRedacted = true
  }

  /// The runs as a reader gets them that may hear what the log does not have: in the place of the
  /// first run that is withheld.
  ///
  /// Within a string every quote is escaped, so nothing but such a run begins like one.
  func restored(with secret: [UInt8]) -> [UInt8] {
    let runs = self.runs.span
    var restored: [UInt8] = []
    var at = 0
    var isRestored = false
    while at < runs.count {
      guard !isRestored, at + Self.redactedRun.utf8CodeUnitCount <= runs.count,
        runs.extracting(at..<at + Self.redactedRun.utf8CodeUnitCount).equals(Self.redactedRun),
        let end = runs.firstIndex(of: UInt8(ascii: "}"), from: at)
      else {
        restored.append(runs[at])
        at += 1
        continue
      }
      restored += secret
      isRestored = true
      at = end + 1
    }
    return restored
  }

  private static var redactedRun: StaticString { "{\"redacted\":" }

  init(_ value: JSONIndex, in entry: JSONDocument) {
    switch entry.kind(value) {
    case .string:
      let raw = entry.raw(value)
      runs = raw.array(between: "{\"text\":\"", "\"}")
      length = Int64(entry.isEscaped(value) ? raw.unescaped.span.scalarCount : raw.scalarCount)
    case .list:
      var out = ByteBuffer(capacity: 256)
      var words: [UInt8] = []
      var item = value + 1
      while item < entry.end(value) {
        if !out.isEmpty { out.append(",") }
        entry.copyAll(item, into: &out)
        if let text = entry.member("text", of: item), entry.kind(text) == .string {
          words += entry.raw(text).unescaped
        }
        item = entry.end(item)
      }
      runs = out.bytes.array
      knownPrint = Fingerprint(words.span)
      length = Int64(words.span.scalarCount)
    case .object, .number, .yes, .no, .null: return
    }
  }

  /// The same, behind what another says.
  mutating func append(_ other: SpokenText) {
    guard !other.isEmpty else { return }
    guard !runs.isEmpty else {
      self = other
      return
    }
    let own = print
    runs.append(UInt8(ascii: ","))
    runs.append(contentsOf: other.runs)
    length += other.length
    isRedacted = isRedacted || other.isRedacted
    knownPrint = own.flatMap { own in other.print.map { own.followed(by: $0) } }
  }
}

extension LengthClass {
  /// The most characters that a text of this class can have; nobody hears more than these.
  var most: Int64 {
    switch self {
    case .short: 8
    case .medium: 32
    case .long: Bounds.spokenCharacters
    }
  }
}

extension Presenter {
  /// The words for a value that is not said aloud: how many characters these runs have.
  public func bullets(for runs: [UInt8]) -> String {
    var count = 0
    _ = SpokenText.read(runs) { count += ($0.string("text", of: $1) ?? "").count }
    return OwnWords.of(pace.language).bullets(count)
  }

  /// A text as JSON has it, quotes and all, as it would stand between the brackets of a list of
  /// runs.
  public static func run(of value: JSONIndex, in line: JSONDocument) -> [UInt8] {
    SpokenText(value, in: line).runs
  }

  /// The text of an event, without the brackets of its list of runs; nil where the event says
  /// nothing.
  public static func runs(of event: borrowing WireEvent) -> [UInt8]? {
    guard let value = event.member(.text) else { return nil }
    return SpokenText(value, in: event.line).runs
  }
}

extension SpokenText: Recorded {
  static var blank: SpokenText { .nothing }

  mutating func record(_ scribe: inout Scribe) {
    var (runs, length) = (self.runs, self.length)
    var (print, isRedacted) = (self.print, self.isRedacted)
    scribe.string(&runs)
    scribe.transcribe(&length, &print, &isRedacted)
    guard scribe.isReading else { return }
    self = SpokenText(runs: runs, length: length, print: print, isRedacted: isRedacted)
  }
}
