// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yEngine
internal import A11yWire

// How an event has ended, and why.
extension Sentences {
  static func end(_ ending: Ending, of event: Happening, _ account: Account) -> String {
    switch ending.known {
    case .heard: heard(ending, event, account)
    case .interrupted: interrupted(ending, event, account)
    case .coalesced: coalesced(ending, event, account)
    case .duplicate: duplicate(ending, event, account)
    case .superseded: superseded(ending, event, account)
    case .inhibited: inhibited(ending, event, account)
    case .summarised: summarised(ending, event, account)
    case .expired: expired(ending)
    case .denied: denied(ending, event)
    case .undeliverable: undeliverable(ending)
    case .cancelled: cancelled(ending)
    case .handled: "Handled: \(app(event, account)) did what the user asked for."
    case .unhandled: unhandled(ending)
    case nil: "It ended as \"\(ending.result)\", by \(quoted(ending.rule))."
    }
  }

  /// Who answers at once passes it on; who does not has a second.
  private static func unhandled(_ ending: Ending) -> String {
    let waited = ending.why.waited ?? 1_000_000
    let reason =
      waited < 1_000_000
      ? "the app has nothing to do for it" : "nobody took it on within 1 s"
    return "Not handled: \(reason), and the user was told so by a sound."
  }

  private static func app(_ event: Happening, _ account: Account) -> String {
    event.published == .action || event.app.isEmpty ? "the app" : event.app
  }

  /// The other event, as the subject of what follows.
  private static func clause(_ ending: Ending, _ event: Happening, _ account: Account) -> String {
    guard let by = ending.by else { return "another event" }
    let words = described(account.other, by: by, than: event)
    return words.contains(",") ? words + "," : words
  }

  /// That a person has not heard it; of a report, that the focus has not gone where it says.
  private static func unheard(_ event: Happening) -> String {
    event.published == .focusChanged ? "Not followed" : "Not heard"
  }

  // MARK: Heard

  private static func heard(_ ending: Ending, _ event: Happening, _ account: Account) -> String {
    let why = ending.why
    let last = account.handovers.last
    if why.isSilent { return silent(event, last) }
    var words: String
    let began =
      (why.waited ?? 0) >= 1_000 ? ", \(Lengths.rough(why.waited ?? 0)) after it came" : ""
    let heard = why.heard.map { Lengths.rough($0 * 1_000) }
    if why.isElsewhere {
      words = "Taken as heard: the reader has left it to another program, which presents it."
    } else if why.isEstimated {
      words =
        "Taken as heard: a reader was given it\(began), and has not said that it finished"
        + (heard.map { "; after \($0) it must have" } ?? "") + "."
    } else {
      words = "Heard: a reader began to speak it at once"
      if !began.isEmpty { words = "Heard: a reader began to speak it\(began)" }
      words += heard.map { ", and finished in \($0)." } ?? ", and finished."
    }
    if account.handovers.count > 1 || last?.isAgain == true {
      words += " It had been cut off before, and was spoken once more."
    }
    if last?.isTruncated == true { words += " It was too long: only its beginning was spoken." }
    if last?.isBoundary == true { words += " It came with the sound for the last page." }
    return words
  }

  private static func silent(_ event: Happening, _ handover: Handover?) -> String {
    if event.published == .voiceOverStatus {
      let state = event.word == "yes" ? "running" : "not running"
      return "Taken note of: readers were told that one is \(state). Nothing is spoken of that."
    }
    if let earcon = handover?.earcon {
      return "Delivered without words: there was nothing to say, and the sound \"\(earcon)\" was"
        + " played."
    }
    return "Delivered without words: there was nothing to say, and readers were told of the change."
  }

  // MARK: Cut off

  private static func interrupted(
    _ ending: Ending,
    _ event: Happening,
    _ account: Account
  ) -> String {
    let why = ending.why
    let begun = (why.heard ?? 0) > 0
    let after = begun ? " after \(Lengths.rough((why.heard ?? 0) * 1_000))" : " at once"
    let estimate =
      why.isEstimated ? " That is an estimate: the reader has not said how far it came." : ""
    let lead = begun ? "Heard in part" : "Not heard"
    switch ending.rule {
    case "stop": return "\(lead): the user stopped the speech\(after).\(estimate)"
    case "escape": return "\(lead): the user left with escape\(after).\(estimate)"
    case "repeat": return "\(lead): the user had something else said again\(after).\(estimate)"
    case "pause": return "\(lead): readers were asked to be quiet\(after).\(estimate)"
    case "reader": return "\(lead): the reader was switched off\(after).\(estimate)"
    case "once more":
      let within = (why.window ?? why.ttl).map { " within \(Lengths.exact($0))" } ?? ""
      guard ending.by != nil else {
        return "Heard in part: its reader was gone. It was to be spoken once more, and could not be"
          + " begun again\(within)."
      }
      return "Heard in part: \(clause(ending, event, account)) cut it off. It was to be spoken once"
        + " more, and could not be begun again\(within)."
    default: break
    }
    if why.reason == "reader" {
      return "\(lead): the reader broke it off by itself\(after)."
    }
    let came =
      account.other?.isHidden == false && account.other?.happening.priority == "high"
        && event.priority != "high"
      ? "was more urgent and" : "came and"
    let twice =
      account.handovers.contains { $0.isAgain } ? " It had been cut off once before already." : ""
    guard ending.by != nil else { return "\(lead): it was cut off\(after).\(twice)\(estimate)" }
    return "\(lead): \(clause(ending, event, account)) \(came) cut it off\(after)."
      + twice + estimate
  }

  private static func cancelled(_ ending: Ending) -> String {
    let by = ending.by.map { " with \(name($0))" } ?? ""
    guard let heard = ending.why.heard, heard > 0 else {
      return "Not heard: its app withdrew it\(by) before it was spoken."
    }
    return
      "Heard in part: its app withdrew it\(by), after \(Lengths.rough(heard * 1_000)) of it had"
      + " been spoken."
  }

  // MARK: Another in its place

  private static func superseded(
    _ ending: Ending,
    _ event: Happening,
    _ account: Account
  ) -> String {
    let other = clause(ending, event, account)
    if let heard = ending.why.heard, heard > 0 {
      return "Heard in part: \(other) took its place after \(Lengths.rough(heard * 1_000))."
    }
    if account.other?.happening.published == .screenChanged {
      return "Not heard: \(other) came before its turn, and what was to be said of the old screen"
        + " means nothing any more."
    }
    if event.own == .focus {
      return "Not heard: \(other) came before its turn: the user is elsewhere by now."
    }
    return
      "\(unheard(event)): \(other) came before its turn and took its place; \(quoted(ending.rule))"
      + " keeps only the newest of its kind."
  }

  private static func coalesced(
    _ ending: Ending,
    _ event: Happening,
    _ account: Account
  ) -> String {
    let why = ending.why
    let other = clause(ending, event, account)
    if let rate = why.rate {
      return
        "\(unheard(event)) by itself: \(other) came while it waited; \(quoted(ending.rule)) lets"
        + " \(self.rate(rate)) pass, and of those that wait only the newest."
    }
    if let window = why.window {
      return "\(unheard(event)) by itself: \(other) followed it within \(Lengths.exact(window));"
        + " \(quoted(ending.rule)) passes on only the newest of those that come so close together."
    }
    if ending.rule == "after-action hold" {
      return
        "\(unheard(event)) by itself: while it waited until what the user's action had done was heard,"
        + " \(other) came, and of those with one key only the newest is kept."
    }
    if why.due != nil {
      return
        "\(unheard(event)) by itself: its element was busy, and of what comes from a busy element only"
        + " the newest is passed on; \(other) came later."
    }
    return "\(unheard(event)) by itself: \(other) took it in, by \(quoted(ending.rule))."
  }

  private static func duplicate(
    _ ending: Ending,
    _ event: Happening,
    _ account: Account
  ) -> String {
    guard let by = ending.by else {
      return "Not heard: it repeated an earlier one, by \(quoted(ending.rule))."
    }
    if event.published == .voiceOverStatus {
      return "Nothing was told of it: it says again what readers were told of \(name(by))."
    }
    if event.published == .focusChanged {
      return "Nothing came of it: the focus was there already, since \(name(by))."
    }
    let what = sameness(event)
    let isSameApp = account.other.map { $0.happening.isOfSameApp(as: event) } ?? false
    let whose = isSameApp ? " from the same app" : ""
    var when = ""
    if let delivered = account.other?.deliveredAt {
      let before = event.mono - delivered
      when =
        before < 0
        ? ", delivered meanwhile"
        : before < 1_000 ? ", delivered just before" : ", delivered \(Lengths.rough(before)) before"
    } else if account.other != nil {
      when = ", which was still waiting to be spoken"
    }
    let rule =
      ending.why.window.map {
        "\(quoted(ending.rule)) counts such repetitions within \(Lengths.exact($0)) as duplicates"
      } ?? "\(quoted(ending.rule)) tells of nothing that has not changed"
    return "Not heard: it was \(what) \(name(by))\(whose)\(when); \(rule)."
  }

  private static func sameness(_ event: Happening) -> String {
    if event.own == .focus { return "the same element as in" }
    switch event.published {
    case .pageScrolled: return "the same text, after the same action, as"
    case .screenChanged: return "the same change of screen as"
    case .elements: return "the same value as"
    case .announcement where event.speechClass == "value": return "the same value as"
    default: return "the same text as"
    }
  }

  private static func summarised(
    _ ending: Ending,
    _ event: Happening,
    _ account: Account
  ) -> String {
    guard let by = ending.by else {
      let count = account.handovers.last?.count ?? 1
      let many = count > 1 ? " of \(count) from \(event.app)" : ""
      return "Not heard by itself: a summary\(many) was spoken in its place, which counts it."
    }
    let why = ending.why
    let cause: String
    if let rate = why.rate {
      cause = "\(quoted(ending.rule)) lets \(self.rate(rate)) pass, and more came"
    } else if let count = why.count {
      cause = "\(count) were waiting to be spoken already"
    } else {
      cause = "many elements of \(event.app) spoke at once, nobody having asked them to"
    }
    return "Not heard by itself: \(cause); it is counted in a summary, the one of \(name(by))."
  }

  /// “1/2 s, burst 5” as one says it.
  private static func rate(_ rate: Why.Rate) -> String {
    "1 in \(rate.time)\(rate.burst == 1 ? "" : ", or \(rate.burst) together,")"
  }

  // MARK: Nothing came of it

  private static func inhibited(
    _ ending: Ending,
    _ event: Happening,
    _ account: Account
  ) -> String {
    switch ending.why.reason {
    case "background":
      let what =
        event.published == .announcement
        ? "announcements of low priority are kept on record only"
        : "changes are kept on record only"
      return "Not heard: its app is in the background, from where \(what)."
    case "media-session":
      return "Not heard: sound or video is playing in the active window, and only announcements of"
        + " high priority may speak over it."
    case "screen-changed":
      return "\(unheard(event)): its window had just got a new screen, and for a moment the focus"
        + " moves there only into a text field, or by the user."
    default: break
    }
    if ending.by != nil {
      return "Not heard: \(clause(ending, event, account)) had come just before, and for a moment"
        + " nothing else in its window is told."
    }
    return "Not heard: \(quoted(ending.rule)) keeps such events on record only."
  }

  private static func expired(_ ending: Ending) -> String {
    let why = ending.why
    if ending.rule == "queue bound" {
      let count = why.count.map { "\($0) others" } ?? "as many others as may"
      return "Not heard: \(count) were waiting to be spoken, and it had to give way to them."
    }
    let giver = why.isFromEvent ? "as it asked for itself" : "by \(quoted(ending.rule))"
    let within =
      why.ttl.map { "had to be begun within \(Lengths.exact($0)), \(giver)," }
      ?? "has a time to begin, \(giver),"
    let waited = why.waited.map { " after \(Lengths.rough($0))" } ?? ""
    return "Not heard: it \(within) and \(stillKept(by: why.heldBy, why))\(waited)."
  }

  /// What kept it from being spoken until then.
  private static func stillKept(by obstacle: Obstacle?, _ why: Why) -> String {
    switch obstacle {
    case .readerOff: "no reader was there to speak it"
    case .userPause: "the user still had speech paused"
    case .appPause: "an app still asked for silence"
    case .doNotDisturb: "do-not-disturb still kept it back"
    case .modal: "a modal window of its app still lay over the place that it came from"
    case .hold: "what the user's action had done was not heard yet"
    case .debounce: "it was not quiet around it yet"
    case .rate: "waited still for \(why.rate.map { "a rate of \(rate($0))" } ?? "its rate")"
    case .turn, nil: "its turn had not come"
    case .reading: "the user was still reading by himself"
    }
  }

  private static func denied(_ ending: Ending, _ event: Happening) -> String {
    let reason = ending.why.reason ?? ending.why.focus?.reason
    if event.published == .focusChanged {
      return "Not followed: the focus stays where it was, for \(refusedFocus(reason))."
    }
    let asked = event.hasElement && event.published != .pageScrolled
    if asked, reason == "modal" {
      return "Not heard: it asked for the focus, which was not moved: \(refusedFocus(reason))."
    }
    switch reason {
    case "modal":
      return "Not heard: a modal window of its app lies over the place that it came from, and until"
        + " that is closed nothing of it is told."
    case "background":
      return "Not heard: its app is in the background, and may not ask for the focus from there."
    case "moved", "missing", "rate":
      return "Not heard: it asked for the focus, which was not moved: \(refusedFocus(reason))."
    case let reason?: return "Not heard: it was turned down, \(reason), by \(quoted(ending.rule))."
    case nil: return "Not heard: \(quoted(ending.rule)) has turned it down."
    }
  }

  private static func undeliverable(_ ending: Ending) -> String {
    if ending.why.isSensitive {
      return
        "Not heard: its text is secret and never written down, so that it was gone when the bus"
        + " was started again."
    }
    if let count = ending.why.count {
      let reason = ending.why.reason.map { ": \($0)" } ?? ""
      return "Not heard: a reader was given it \(count) times and could not speak it\(reason)."
    }
    switch ending.why.reason {
    case "no reader":
      return
        "Not heard: no screen reader was connected, and only announcements of high priority are"
        + " kept for one that comes later."
    case "reader off":
      return
        "Not heard: the screen reader was switched off, and only announcements of high priority"
        + " are kept until it is on again."
    default: return "Not heard: there was nobody to deliver it to, by \(quoted(ending.rule))."
    }
  }
}
