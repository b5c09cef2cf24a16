// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

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
