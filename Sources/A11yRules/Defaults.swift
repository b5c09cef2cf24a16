// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yWire

// The rules that are shipped. `Config/default-rules.toml` says the same for readers, with the
// reason for each number, and a test holds the two together.
extension RuleSet {
  public static let defaults = RuleSet(making: places + priorities + classes + stages)

  /// Changes of windows, and moves of the focus.
  private static let places = [
    Rule("layout-changed") { rule in
      rule.matchers.types = [.layoutChanged]
      rule.settings.key = [[.app, .window]]
      rule.settings.leading = true
      rule.settings.debounce = .milliseconds(100)
      rule.settings.maxWait = .milliseconds(350)
      rule.settings.rate = perSecond(10)
      rule.settings.burst = 2
      rule.settings.over = .merge
      rule.settings.dedupe = .some(nil)
      rule.settings.ttl = .seconds(5)
      rule.settings.mode = .latest
      rule.settings.hold = Rule.hold
    },
    Rule("screen-changed") { rule in
      rule.matchers.types = [.screenChanged]
      rule.settings.key = [[.app, .window]]
      rule.settings.leading = true
      rule.settings.debounce = .milliseconds(200)
      rule.settings.maxWait = .milliseconds(550)
      rule.settings.rate = perSecond(2)
      rule.settings.burst = 3
      rule.settings.over = .merge
      rule.settings.dedupe = .time(.milliseconds(550))
      rule.settings.ttl = .some(nil)
      rule.settings.mode = .latest
      rule.settings.hold = .zero
    },
    Rule("focus") { rule in
      rule.matchers.types = [.focus]
      rule.settings.key = [.type]
      rule.settings.leading = true
      rule.settings.debounce = .milliseconds(50)
      rule.settings.maxWait = .milliseconds(150)
      rule.settings.rate = .some(nil)
      rule.settings.burst = 4
      rule.settings.over = .merge
      rule.settings.dedupe = .time(.seconds(1))
      rule.settings.ttl = .some(nil)
      rule.settings.mode = .latest
      rule.settings.hold = .zero
    },
    Rule("focus") { rule in
      rule.matchers.types = [.focus]
      rule.matchers.causes = [.user]
      rule.settings.debounce = .zero
      rule.settings.dedupe = .some(nil)
    },
    Rule("page-scrolled, after a user's action") { rule in
      rule.matchers.types = [.pageScrolled]
      rule.matchers.isContinuous = false
      rule.settings.key = [[.app, .element]]
      rule.settings.leading = true
      rule.settings.debounce = .zero
      rule.settings.maxWait = .zero
      rule.settings.rate = perSecond(4)
      rule.settings.burst = 4
      rule.settings.over = .merge
      rule.settings.dedupe = .time(.seconds(60))
      rule.settings.ttl = .seconds(3)
      rule.settings.mode = .latest
      rule.settings.hold = .zero
    },
    Rule("page-scrolled, continuous") { rule in
      rule.matchers.types = [.pageScrolled]
      rule.matchers.isContinuous = true
      rule.settings.key = [[.app, .element]]
      rule.settings.leading = false
      rule.settings.debounce = .milliseconds(500)
      rule.settings.maxWait = .seconds(3)
      rule.settings.rate = .some(nil)
      rule.settings.over = .merge
      rule.settings.dedupe = .some(nil)
      rule.settings.ttl = .seconds(3)
      rule.settings.mode = .latest
      rule.settings.hold = .zero
    },
  ]

  /// Announcements, by how much they ask for attention.
  private static let priorities = [
    Rule("announcement high") { rule in
      rule.matchers.types = [.announcement]
      rule.matchers.priorities = [.high]
      rule.settings.key = []
      rule.settings.leading = true
      rule.settings.debounce = .zero
      rule.settings.maxWait = .zero
      rule.settings.rate = perSecond(1)
      rule.settings.burst = 3
      rule.settings.over = .defer
      rule.settings.dedupe = .time(.milliseconds(250))
      rule.settings.ttl = .seconds(300)
      rule.settings.mode = .all
      rule.settings.hold = .zero
    },
    Rule("announcement default") { rule in
      rule.matchers.types = [.announcement]
      rule.matchers.priorities = [.default]
      rule.settings.key = []
      rule.settings.leading = true
      rule.settings.debounce = .zero
      rule.settings.maxWait = .zero
      rule.settings.rate = perSecond(1)
      rule.settings.burst = 5
      rule.settings.over = .defer
      rule.settings.dedupe = .time(.seconds(1))
      rule.settings.ttl = .seconds(10)
      rule.settings.mode = .all
      rule.settings.hold = Rule.hold
    },
    Rule("announcement low") { rule in
      rule.matchers.types = [.announcement]
      rule.matchers.priorities = [.low]
      rule.settings.key = []
      rule.settings.leading = true
      rule.settings.debounce = .zero
      rule.settings.maxWait = .zero
      rule.settings.rate = Rate(count: 1, period: .seconds(2))
      rule.settings.burst = 5
      rule.settings.over = .merge
      rule.settings.dedupe = .time(.seconds(1))
      rule.settings.ttl = .seconds(45)
      rule.settings.mode = .all
      rule.settings.hold = Rule.hold
    },
  ]

  /// Classes lie over the priorities, setting by setting.
  private static let classes = [
    Rule("class status") { rule in
      rule.matchers.types = [.announcement]
      rule.matchers.classes = ["status"]
      rule.matchers.priorities = [.low, .default]
      rule.settings.key = [[.app, .key]]
      rule.settings.leading = true
      rule.settings.debounce = .milliseconds(150)
      rule.settings.maxWait = .seconds(1)
      rule.settings.rate = perSecond(1)
      rule.settings.burst = 2
      rule.settings.over = .merge
      rule.settings.dedupe = .time(.seconds(1))
      rule.settings.ttl = .seconds(10)
      rule.settings.mode = .latest
    },
    Rule("class value") { rule in
      rule.matchers.types = [.announcement, .elements]
      rule.matchers.classes = ["value"]
      rule.matchers.priorities = [.low, .default]
      rule.settings.key = [[.app, .element]]
      rule.settings.leading = true
      rule.settings.debounce = .seconds(1)
      rule.settings.maxWait = .seconds(1)
      rule.settings.rate = perSecond(1)
      rule.settings.burst = 2
      rule.settings.over = .merge
      rule.settings.dedupe = .whileEqual
      rule.settings.ttl = .seconds(5)
      rule.settings.mode = .latestInterrupt
      rule.settings.hold = .zero
    },
    Rule("class value") { rule in
      rule.matchers.types = [.announcement, .elements]
      rule.matchers.classes = ["value"]
      rule.matchers.priorities = [.low, .default]
      rule.matchers.isFocused = true
      rule.settings.debounce = .milliseconds(150)
    },
    Rule("class progress") { rule in
      rule.matchers.types = [.announcement]
      rule.matchers.classes = ["progress"]
      rule.matchers.priorities = [.low, .default]
      rule.settings.key = [[.app, .key], [.app, .element]]
      rule.settings.leading = true
      rule.settings.rate = Rate(count: 1, period: .seconds(10))
      rule.settings.burst = 1
      rule.settings.over = .merge
      rule.settings.dedupe = .whileEqual
      rule.settings.ttl = .seconds(60)
      rule.settings.mode = .currentThenLatest
    },
    Rule("class progress") { rule in
      rule.matchers.types = [.announcement]
      rule.matchers.classes = ["progress"]
      rule.matchers.priorities = [.low, .default]
      rule.matchers.isFocused = true
      rule.settings.rate = Rate(count: 1, period: .seconds(5))
    },
    Rule("class timer") { rule in
      rule.matchers.types = [.announcement]
      rule.matchers.classes = ["timer"]
      rule.matchers.priorities = [.low, .default]
      rule.settings.key = [[.app, .key], [.app, .element]]
      rule.settings.leading = false
      rule.settings.rate = Rate(count: 1, period: .seconds(10))
      rule.settings.burst = 1
      rule.settings.over = .merge
      rule.settings.dedupe = .whileEqual
      rule.settings.ttl = .seconds(15)
      rule.settings.mode = .latest
    },
    Rule("class chat") { rule in
      rule.matchers.types = [.announcement]
      rule.matchers.classes = ["chat"]
      rule.matchers.priorities = [.low, .default]
      rule.settings.key = [[.app, .element]]
      rule.settings.leading = true
      rule.settings.maxWait = .seconds(5)
      rule.settings.rate = perSecond(1)
      rule.settings.burst = 4
      rule.settings.over = .merge
      rule.settings.dedupe = .time(.seconds(1))
      rule.settings.ttl = .seconds(45)
      rule.settings.mode = .all
    },
  ]

  /// Stages that look at many events, or at the reader itself.
  private static let stages = [
    Rule("storm") { rule in
      rule.matchers.types = [.storm]
      rule.settings.key = [[.app, .class]]
      rule.settings.leading = false
      rule.settings.debounce = .milliseconds(250)
      rule.settings.maxWait = .seconds(1)
    },
    Rule("voiceover-status") { rule in
      rule.matchers.types = [.voiceOverStatus]
      rule.settings.key = [.type]
      rule.settings.leading = false
      rule.settings.debounce = .milliseconds(250)
      rule.settings.maxWait = .seconds(1)
      rule.settings.rate = .some(nil)
      rule.settings.dedupe = .whileEqual
      rule.settings.ttl = .some(nil)
      rule.settings.mode = .latest
      rule.settings.hold = .zero
    },
    Rule("busy") { rule in
      rule.matchers.types = [.busy]
      rule.settings.key = [[.app, .element]]
      rule.settings.leading = false
      rule.settings.debounce = .seconds(10)
      rule.settings.maxWait = .seconds(10)
      rule.settings.mode = .latest
    },
  ]

  private static func perSecond(_ count: Int64) -> Rate {
    Rate(count: count, period: .seconds(1))
  }
}
