// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

/// One rule: the events that it matches, the settings that it gives them, and its place.
public struct Rule: Equatable, Sendable {
  /// The name that decisions of the rule carry; several rules may share one.
  public var name: String
  public var matchers = Matchers()
  public var settings = RuleSettings()
  /// Nil for rules that are built in.
  public var place: Place?

  /// The place of a rule in a file, lines and columns counted from 1.
  public struct Place: Equatable, Sendable {
    public let file: String
    public let line: Int64
    public let column: Int64

    public init(file: String, line: Int64, column: Int64) {
      self.file = file
      self.line = line
      self.column = column
    }
  }

  public init(_ name: String) { self.name = name }
}

/// The keys of a rule's matchers.
public enum MatcherKey: String, Sendable, CaseIterable {
  case type, `class`, app, window, element, priority, trait, cause, foreground, focused, continuous
  case origin, text
}

/// The keys of a rule's settings.
public enum SettingKey: String, Sendable, CaseIterable {
  case key, leading, debounce, maxWait = "max_wait", rate, burst, over, dedupe, ttl, mode, priority
  case present, onlyIfUser = "only_if_user", hold, maxChars = "max_chars"
}

/// The settings of a rule; nil where it leaves one to other rules.
///
/// Times mean what they mean in a `Treatment`.
public struct RuleSettings: Equatable, Sendable {
  public var key: [KeyParts]?
  public var leading: Bool?
  public var debounce: TimeSpan?
  public var maxWait: TimeSpan?
  public var rate: Rate??
  public var burst: Int64?
  public var over: Excess?
  public var dedupe: Treatment.Dedupe??
  public var ttl: TimeSpan??
  public var mode: Mode?
  public var priority: Priority?
  public var present: Presentation?
  public var onlyIfUser: Bool?
  public var hold: TimeSpan?
  public var maxChars: Int64?

  public init() {}
}

/// The priority of an event, in the words of the wire.
public enum Priority: String, Sendable, CaseIterable, Comparable {
  case low, `default`, high

  /// Its place in the list of all, the least first.
  public var rank: Int {
    switch self {
    case .low: 0
    case .default: 1
    case .high: 2
    }
  }

  public static func < (a: Priority, b: Priority) -> Bool { a.rank < b.rank }
}

/// The way in which events of one key follow each other.
public enum Mode: String, Sendable, CaseIterable {
  /// Each event is presented for itself.
  case all
  /// A newer event replaces those that still wait.
  case latest
  /// A newer event also cuts the one that is being spoken.
  case latestInterrupt = "latest-interrupt"
  /// A newer event replaces those that wait, and never cuts the one that is being spoken.
  case currentThenLatest = "current-then-latest"
}

/// The way in which an event is presented.
public enum Presentation: String, Sendable, CaseIterable {
  case speech, sound, log
}

/// The treatment of an event over its rate.
public enum Excess: String, Sendable, CaseIterable {
  /// The event waits for the rate, within its time to live.
  case `defer`
  /// The event goes into the newest that waits under its key, or is counted in a summary.
  case merge
  /// The event counts as one of the next lower priority.
  case demote
}

// Reads rules from the values of a file or an entry.
extension Rule {
  /// The most values in a list; a longer one is better as a `*`, or as another rule.
  public static let listed = 64
  /// The time for which `hold = true` holds events after an action.
  static let hold = TimeSpan.milliseconds(150)

  /// Sets the name, by which people find the rule again.
  public mutating func setName(_ value: RuleValue) throws(Misfit) {
    if case .text(let text) = value, 1...Limits.nameBytes ~= text.utf8.count,
      text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    {
      name = text
      return
    }
    throw Misfit(
      "a name of 1 to \(Limits.nameBytes) bytes without control characters",
      choices: [],
      got: value
    )
  }

  public mutating func set(_ key: MatcherKey, _ value: RuleValue) throws(Misfit) {
    switch key {
    case .type:
      matchers.types = try value.list { value throws(Misfit) in try value.word(Topic.self) }
    case .class:
      matchers.classes = try value.list { value throws(Misfit) in try value.className() }
    case .app: matchers.apps = try value.patterns()
    case .window: matchers.windows = try value.patterns()
    case .element: matchers.elements = try value.patterns()
    case .priority:
      matchers.priorities = try value.list { value throws(Misfit) in try value.word(Priority.self) }
    case .trait: matchers.traits = try value.traits()
    case .cause:
      matchers.causes = try value.list { value throws(Misfit) in try value.word(Causation.self) }
    case .foreground: matchers.isForeground = try value.flag()
    case .focused: matchers.isFocused = try value.flag()
    case .continuous: matchers.isContinuous = try value.flag()
    case .origin:
      matchers.origins = try value.list { value throws(Misfit) in try value.originName() }
    case .text: matchers.texts = try value.patterns()
    }
  }

  public mutating func set(_ key: SettingKey, _ value: RuleValue) throws(Misfit) {
    switch key {
    case .key: settings.key = try value.key()
    case .leading: settings.leading = try value.flag()
    case .debounce: settings.debounce = try value.duration()
    case .maxWait: settings.maxWait = try value.duration(or: "none") ?? .zero
    case .rate: settings.rate = .some(try value.rate())
    case .burst: settings.burst = try value.integer(1...10_000)
    case .over: settings.over = try value.word(Excess.self)
    case .dedupe: settings.dedupe = .some(try value.dedupe())
    case .ttl: settings.ttl = .some(try value.duration(or: "kept"))
    case .mode: settings.mode = try value.word(Mode.self)
    case .priority: settings.priority = try value.word(Priority.self)
    case .present: settings.present = try value.word(Presentation.self)
    case .onlyIfUser: settings.onlyIfUser = try value.flag()
    case .hold: settings.hold = try value.hold()
    case .maxChars: settings.maxChars = try value.integer(1...Int64(Limits.textBytes))
    }
  }
}

extension RuleValue {
  fileprivate func patterns() throws(Misfit) -> [Pattern] {
    try list { value throws(Misfit) in try value.pattern() }
  }

  fileprivate func traits() throws(Misfit) -> UInt32 {
    let words = WordSet.trait.words.map(\.description)
    let bits = try list { value throws(Misfit) in
      guard case .text(let text) = value, let bit = words.firstIndex(of: text) else {
        throw value.misfit(oneOf: words)
      }
      return UInt32(1) << UInt32(bit)
    }
    return bits.reduce(0) { $0 | $1 }
  }
}

// Writes rules as the values of a file or an entry; the reverse of reading, key by key.
extension Matchers {
  /// The value of a matcher; nil where there is none.
  public func value(_ key: MatcherKey) -> RuleValue? {
    switch key {
    case .type: types.map { .words($0) }
    case .class: classes.map { .texts($0) }
    case .app: apps.map { .patterns($0) }
    case .window: windows.map { .patterns($0) }
    case .element: elements.map { .patterns($0) }
    case .priority: priorities.map { .words($0) }
    case .trait: traits.map { .traits($0) }
    case .cause: causes.map { .words($0) }
    case .foreground: isForeground.map { .flag($0) }
    case .focused: isFocused.map { .flag($0) }
    case .continuous: isContinuous.map { .flag($0) }
    case .origin: origins.map { .texts($0) }
    case .text: texts.map { .patterns($0) }
    }
  }
}

extension RuleSettings {
  /// The value of a setting; nil where the rule leaves it to others.
  public func value(_ key: SettingKey) -> RuleValue? {
    switch key {
    case .key: self.key.map(RuleValue.init(key:))
    case .leading: leading.map { .flag($0) }
    case .debounce: debounce.map(RuleValue.init(time:))
    case .maxWait: maxWait.map(RuleValue.init(maxWait:))
    case .rate: rate.map(RuleValue.init(rate:))
    case .burst: burst.map { .integer($0) }
    case .over: over.map { .text($0.rawValue) }
    case .dedupe: dedupe.map(RuleValue.init(dedupe:))
    case .ttl: ttl.map(RuleValue.init(ttl:))
    case .mode: mode.map { .text($0.rawValue) }
    case .priority: priority.map { .text($0.rawValue) }
    case .present: present.map { .text($0.rawValue) }
    case .onlyIfUser: onlyIfUser.map { .flag($0) }
    case .hold: hold.map(RuleValue.init(hold:))
    case .maxChars: maxChars.map { .integer($0) }
    }
  }
}

extension Treatment {
  /// A setting in force, as rules have it; nil for a priority that is left to the event.
  public func value(_ key: SettingKey) -> RuleValue? {
    switch key {
    case .key: RuleValue(key: self.key.value)
    case .leading: .flag(leading.value)
    case .debounce: RuleValue(time: debounce.value)
    case .maxWait: RuleValue(maxWait: maxWait.value)
    case .rate: RuleValue(rate: rate.value)
    case .burst: .integer(burst.value)
    case .over: .text(over.value.rawValue)
    case .dedupe: RuleValue(dedupe: dedupe.value)
    case .ttl: RuleValue(ttl: ttl.value)
    case .mode: .text(mode.value.rawValue)
    case .priority: priority.value.map { .text($0.rawValue) }
    case .present: .text(present.value.rawValue)
    case .onlyIfUser: .flag(onlyIfUser.value)
    case .hold: RuleValue(hold: hold.value)
    case .maxChars: .integer(maxChars.value)
    }
  }
}

extension RuleValue {
  fileprivate init(key: [KeyParts]) {
    self = key.isEmpty ? .text("none") : .texts(key.map(\.text))
  }

  fileprivate init(maxWait: TimeSpan) {
    self = maxWait == .zero ? .text("none") : RuleValue(time: maxWait)
  }

  fileprivate init(rate: Rate?) { self = .text(rate?.text ?? "none") }

  fileprivate init(dedupe: Treatment.Dedupe?) {
    self =
      switch dedupe {
      case .time(let time): RuleValue(time: time)
      case .whileEqual: .text("equal")
      case nil: .text("none")
      }
  }

  fileprivate init(ttl: TimeSpan?) { self = ttl.map(RuleValue.init(time:)) ?? .text("kept") }

  fileprivate init(hold: TimeSpan) { self = hold == .zero ? .flag(false) : RuleValue(time: hold) }

  /// One text alone, several as a list.
  fileprivate static func texts(_ texts: [String]) -> RuleValue {
    texts.count == 1 ? .text(texts[0]) : .list(texts.map { .text($0) })
  }

  fileprivate static func words<Word: RawRepresentable>(
    _ words: [Word]
  ) -> RuleValue where Word.RawValue == String {
    texts(words.map(\.rawValue))
  }

  fileprivate static func patterns(_ patterns: [Pattern]) -> RuleValue {
    texts(patterns.map(\.text))
  }

  fileprivate static func traits(_ bits: UInt32) -> RuleValue {
    texts(
      WordSet.trait.words.enumerated()
        .filter { bits & 1 << UInt32($0.offset) != 0 }.map(\.element.description)
    )
  }

  public func writeValue(into out: inout ByteBuffer) {
    switch self {
    case .text(let text): out.append(json: text)
    case .integer(let integer): out.append(decimal: integer)
    case .flag(let flag): out.append(flag ? "true" : "false")
    case .list(let items): out.array(of: items) { $1.writeValue(into: &$0) }
    case .other: out.append("null")
    }
  }
}
