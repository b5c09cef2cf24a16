// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

public import A11yWire

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
