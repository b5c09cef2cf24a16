// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yPresenter
internal import A11yWire

// Sentences about ends and their reasons.
extension Sentences {
  static func end(_ ending: EventEnding, of event: Happening, _ account: Account) -> String {
    let words = main(ending, of: event, account)
    guard ending.why.isBehindOthers else { return words }
    return words + " Another program was speaking before it."
  }

  private static func main(_ ending: EventEnding, of event: Happening, _ account: Account) -> String
  {
    switch ending.known {
    case .heard: heard(ending, event, account)
    case .interrupted: interrupted(ending, event, account)
    case .coalesced: coalesced(ending, event, account)
    case .duplicate: duplicate(ending, event, account)
    case .superseded: superseded(ending, event, account)
    case .inhibited: inhibited(ending, event, account)
    case .summarised: summarised(ending, event, account)
    case .expired: expired(ending, event)
    case .denied: denied(ending, event)
    case .undeliverable: undeliverable(ending, event)
    case .cancelled: cancelled(ending, event)
    case .handled: "\(name(event.seq)) was handled: \(app(event)) did what the user asked for."
    case .unhandled: unhandled(ending, event)
    case nil: "\(name(event.seq)) ended as \"\(ending.result)\", by \(quoted(ending.rule))."
    }
  }

  /// An app that answers at once declines the action; one that is silent has had a second.
  private static func unhandled(_ ending: EventEnding, _ event: Happening) -> String {
    let patience = TimeSpan.seconds(1)
    let reason =
      ending.why.waited ?? patience < patience
      ? "the app has nothing to do for it" : "nobody took it on within 1 s"
    return "\(name(event.seq)) was not handled: \(reason), and the user was told so by a sound."
  }

  private static func app(_ event: Happening) -> String {
    event.published == .action || event.app.isEmpty ? "the app" : event.app
  }

  /// The other event, as the subject of a clause.
  private static func clause(
    _ ending: EventEnding,
    _ event: Happening,
    _ account: Account
  ) -> String {
    guard let by = ending.by else { return "another event" }
    let words = described(account.other, by: by, than: event)
    return words.contains(",") ? words + "," : words
  }

  /// “7 was not heard”; of a report, “7 was not followed”.
  private static func unheard(_ event: Happening) -> String {
    "\(name(event.seq)) was not \(event.published == .focusChanged ? "followed" : "heard")"
  }

  /// “7 was heard in part, for 2 s”, or “7 was not heard”.
  private static func partly(_ event: Happening, _ heard: TimeSpan?) -> String {
    "\(name(event.seq)) \(extent(heard ?? .zero))"
  }

  // MARK: Heard

  private static func heard(_ ending: EventEnding, _ event: Happening, _ account: Account) -> String
  {
    let why = ending.why
    let me = name(event.seq)
    let last = account.handovers.last
    if why.isSilent { return silent(event, last) }
    var words: String
    let waited = why.waited ?? .zero
    let began =
      waited >= .milliseconds(1) ? ", \(Lengths.rough(waited)) after it came" : ""
    let heard = why.heard.map { Lengths.rough($0) }
    if why.isElsewhere {
      let program = account.presenter ?? "another program"
      words = "\(me) is taken as heard: it was left to \(program), which presents it."
    } else if why.isEstimated {
      words =
        "\(me) is taken as heard: a reader was given it\(began), and has not said that it finished"
        + (heard.map { "; after \($0) it must have finished" } ?? "") + "."
    } else {
      let lead = why.isBehindOthers ? "was given it" : "began to speak it"
      words = "\(me) was heard: a reader \(lead)\(began.isEmpty ? " at once" : began)"
      let end = why.isBehindOthers ? "and spoke it" : "and finished"
      words += ", \(end)\(heard.map { " in \($0)" } ?? "")."
    }
    if account.handovers.dropLast().contains(where: \.isLost) {
      words += " The reader had failed to speak it before, and was given it once more."
    } else if account.handovers.count > 1 || last?.isAgain == true {
      words += " It had been cut off before, and was spoken once more."
    }
    if last?.isTruncated == true { words += " It was too long: only its beginning was spoken." }
    if last?.isBoundary == true { words += " It came with the sound for the last page." }
    return words
  }

  private static func silent(_ event: Happening, _ handover: Handover?) -> String {
    let me = name(event.seq)
    if event.published == .voiceOverStatus {
      let state = event.word == "yes" ? "is running" : "is not running"
      return "\(me) was heard, without words: readers were told that a screen reader \(state)."
    }
    if let earcon = handover?.earcon {
      return "\(me) was heard, without words: there was nothing to say, and the sound \"\(earcon)\""
        + " was played."
    }
    return "\(me) was heard, without words: there was nothing to say, and readers were told of the"
      + " change."
  }

  // MARK: Cut off

  private static func interrupted(
    _ ending: EventEnding,
    _ event: Happening,
    _ account: Account
  ) -> String {
    let why = ending.why
    let estimate =
      why.isEstimated ? " That is an estimate: the reader has not said how far it came." : ""
    let end = account.lastWords.map { ", and cut after “\($0)”" } ?? ""
    let lead = partly(event, why.heard) + end
    if ending.ownRule == .onceMore {
      let within = (why.window ?? why.ttl).map { " within \(Lengths.exact($0))" } ?? ""
      let cut =
        ending.by == nil ? "its reader was gone" : "\(clause(ending, event, account)) cut it off"
      return
        "\(name(event.seq)) was heard in part\(end): \(cut). It was to be spoken once more, and"
        + " could not be begun again\(within)."
    }
    if let agent = stop(ending) { return "\(lead): \(agent).\(estimate)" }
    let came =
      account.other?.isHidden == false && account.other?.happening.priority == "high"
        && event.priority != "high"
      ? "was more urgent and" : "came and"
    let twice =
      account.handovers.contains { $0.isAgain } ? " It had been cut off once before already." : ""
    guard ending.by != nil else { return "\(lead): it was cut off.\(twice)\(estimate)" }
    return "\(lead): \(clause(ending, event, account)) \(came) cut it off." + twice + estimate
  }

  /// Why the speech has ended, where no other event has ended it.
  static func stop(_ ending: EventEnding) -> String? {
    switch ending.ownRule {
    case .stop: "the user stopped the speech"
    case .escape: "the user left with escape"
    case .repeat: "the user had something else said again"
    case .pause: "readers were asked to be quiet"
    case .reader where ending.why.reason == .away: "its user left the machine"
    case .reader: "the reader was switched off"
    case .lock: "the session was locked"
    case .background, .modal, .mediaSession, .focusProtection, .focus, .afterActionHold,
      .queueBound, .interruption, .onceMore, .restart, .cancel, .ownTTL, .gesture, nil:
      ending.why.reason == .reader ? "the reader broke it off by itself" : nil
    }
  }

  /// “was heard in part, for 2 s”, or “was not heard”.
  static func extent(_ heard: TimeSpan) -> String {
    heard > .zero ? "was heard in part, for \(Lengths.rough(heard))" : "was not heard"
  }

  private static func cancelled(_ ending: EventEnding, _ event: Happening) -> String {
    let by = ending.by.map { " with \(name($0))" } ?? ""
    let before = (ending.why.heard ?? .zero) > .zero ? "" : " before it was spoken"
    return "\(partly(event, ending.why.heard)): its app withdrew it\(by)\(before)."
  }

  // MARK: Another in its place

  private static func superseded(
    _ ending: EventEnding,
    _ event: Happening,
    _ account: Account
  ) -> String {
    let other = clause(ending, event, account)
    if let heard = ending.why.heard, heard > .zero {
      return "\(partly(event, heard)): \(other) is newer and came in its place."
    }
    if account.other?.happening.published == .screenChanged {
      return "\(unheard(event)): \(other) came before its turn, and nobody needs to hear of the old"
        + " screen any more."
    }
    if event.own == .focus {
      return "\(unheard(event)): \(other) came before its turn, and the user is elsewhere by now."
    }
    return
      "\(unheard(event)): \(other) is newer and came in its place; \(quoted(ending.rule)) keeps "
      + "only the newest of its kind."
  }

  private static func coalesced(
    _ ending: EventEnding,
    _ event: Happening,
    _ account: Account
  ) -> String {
    let why = ending.why
    let other = clause(ending, event, account)
    if let rate = why.rate {
      return
        "\(unheard(event)): \(other) is newer and came while it waited; \(quoted(ending.rule)) lets"
        + " \(self.rate(rate)) pass, and of those that wait only the newest."
    }
    if let window = why.window {
      return "\(unheard(event)): \(other) followed it within \(Lengths.exact(window));"
        + " \(quoted(ending.rule)) passes on only the newest of those that come so close together."
    }
    if ending.ownRule == .afterActionHold {
      return
        "\(unheard(event)): \(other) is newer and came in its place, while it waited until"
        + " the effect of the user's action was heard; of those with one key only the newest is"
        + " kept."
    }
    if why.due != nil {
      return
        "\(unheard(event)): its element was busy, and of all that comes from a busy"
        + " element only the newest is passed on; \(other) came later."
    }
    return "\(unheard(event)): \(other) is newer and came in its place, by \(quoted(ending.rule))."
  }

  private static func duplicate(
    _ ending: EventEnding,
    _ event: Happening,
    _ account: Account
  ) -> String {
    guard let by = ending.by else {
      return "\(unheard(event)): it repeated an earlier one, by \(quoted(ending.rule))."
    }
    if event.published == .voiceOverStatus {
      return "\(unheard(event)): readers knew of it already, from \(name(by))."
    }
    if event.published == .focusChanged {
      return "\(name(event.seq)) changed nothing: the focus was there already, since \(name(by))."
    }
    let what = sameness(event)
    let isSameApp = account.other.map { $0.happening.isOfSameApp(as: event) } ?? false
    let whose = isSameApp ? " from the same app" : ""
    var when = ""
    if let delivered = account.other?.deliveredAt {
      let before = TimeSpan(microseconds: event.mono - delivered)
      when =
        before < .zero
        ? ", delivered meanwhile"
        : before < .milliseconds(1)
          ? ", delivered just before" : ", delivered \(Lengths.rough(before)) before"
    } else if account.other != nil {
      when = ", which was still waiting to be spoken"
    }
    let rule =
      ending.why.window.map {
        "\(quoted(ending.rule)) counts such repetitions within \(Lengths.exact($0)) as duplicates"
      } ?? "\(quoted(ending.rule)) tells only of changes"
    return "\(unheard(event)): it was \(what) \(name(by))\(whose)\(when); \(rule)."
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
    _ ending: EventEnding,
    _ event: Happening,
    _ account: Account
  ) -> String {
    guard let by = ending.by else {
      let count = account.handovers.last?.count ?? 1
      let many = count > 1 ? " of \(count) events from \(event.app)" : ""
      return
        "\(unheard(event)) by itself: a summary\(many), which counts it, was spoken in its place."
    }
    let why = ending.why
    let cause: String
    if let rate = why.rate {
      cause = "\(quoted(ending.rule)) lets \(self.rate(rate)) pass, and more came"
    } else if let count = why.count {
      cause = "\(count) others were waiting to be spoken already"
    } else {
      cause = "many elements of \(event.app) spoke at once, nobody having asked them to"
    }
    return "\(unheard(event)) by itself: \(cause); the summary that came in place of \(name(by))"
      + " counts it."
  }

  /// “1/2 s, burst 5” in words.
  package static func rate(_ rate: Why.Rate) -> String {
    "1 in \(rate.time)\(rate.burst == 1 ? "" : " or \(rate.burst) at once")"
  }

  // MARK: Nothing came of it

  private static func inhibited(
    _ ending: EventEnding,
    _ event: Happening,
    _ account: Account
  ) -> String {
    switch ending.why.reason {
    case .background:
      let what =
        event.published == .announcement
        ? "announcements of low priority are kept on record only"
        : "changes are kept on record only"
      return "\(unheard(event)): its app is in the background, from where \(what)."
    case .mediaSession:
      return "\(unheard(event)): sound or video is playing in the active window, and only"
        + " announcements of high priority may speak over it."
    case .locked:
      return "\(unheard(event)): the session was locked, and only alarms, timers and the lock"
        + " screen itself are heard then."
    case .screenChanged:
      return "\(unheard(event)): its window had just got a new screen, and for a moment the focus"
        + " moves there only into a text field, or by the user."
    case .modal, .moved, .missing, .rate, .noReader, .readerOff, .away, .reader, .noReport,
      .reported, nil:
      break
    }
    if ending.by != nil {
      return "\(unheard(event)): \(clause(ending, event, account)) had come just before, and for a"
        + " moment nothing else in its window is told."
    }
    return "\(unheard(event)): \(quoted(ending.rule)) keeps such events on record only."
  }

  private static func expired(_ ending: EventEnding, _ event: Happening) -> String {
    let why = ending.why
    if ending.ownRule == .queueBound {
      let count = why.count.map { "\($0) others" } ?? "as many others as may"
      return
        "\(unheard(event)): \(count) were waiting to be spoken, and it had to give way to them."
    }
    let giver = why.isFromEvent ? "as it asked for itself" : "by \(quoted(ending.rule))"
    let within =
      why.ttl.map { "had to be begun within \(Lengths.exact($0)), \(giver)," }
      ?? "has a time to begin, \(giver),"
    let waited = why.waited.map { " after \(Lengths.rough($0))" } ?? ""
    return "\(unheard(event)): it \(within) and \(stillKept(by: why.heldBy, why))\(waited)."
  }

  /// The obstacle that kept it from being spoken until then.
  private static func stillKept(by obstacle: Obstacle?, _ why: Why) -> String {
    switch obstacle {
    case .readerOff: "no reader was there to speak it"
    case .userPause: "the user still had speech paused"
    case .appPause: "an app still asked for silence"
    case .doNotDisturb: "do not disturb still kept it back"
    case .modal: "a modal window of its app still lay over the place that it came from"
    case .hold: "the effect of the user's action was not heard yet"
    case .debounce: "others still came close behind it"
    case .rate: "its rate\(why.rate.map { ", \(rate($0))," } ?? "") still kept it back"
    case .turn, nil: "its turn had not come"
    case .reading: "the user was still reading on"
    }
  }

  private static func denied(_ ending: EventEnding, _ event: Happening) -> String {
    let reason = ending.denialReason
    if event.published == .focusChanged {
      return "\(unheard(event)): the focus stays where it was, because \(refusedFocus(reason))."
    }
    let asked = event.hasElement && event.published != .pageScrolled
    if asked, reason == .modal {
      return "\(unheard(event)): \(unmoved(reason))."
    }
    switch reason {
    case .modal:
      return
        "\(unheard(event)): a modal window of its app lies over the place that it came from, and"
        + " nothing of it is told until that window is closed."
    case .background:
      return "\(unheard(event)): its app is in the background, and may not ask for the focus from"
        + " there."
    case .moved, .missing, .rate: return "\(unheard(event)): \(unmoved(reason))."
    case .mediaSession, .locked, .screenChanged, .noReader, .readerOff, .away, .reader, .noReport,
      .reported:
      let words = reason.map { ", because of \($0.rawValue)" } ?? ""
      return "\(unheard(event)): \(quoted(ending.rule)) turned it down\(words)."
    case nil: return "\(unheard(event)): \(quoted(ending.rule)) turned it down."
    }
  }

  private static func unmoved(_ reason: Reason?) -> String {
    "it asked for the focus, which did not move there, because \(refusedFocus(reason))"
  }

  /// A reader was given an event again and again, and has never spoken it.
  static func failure(_ reason: Reason?, _ count: Int64) -> String {
    let given = "a reader was given it \(count) times"
    if reason == .noReport { return "\(given) and never said that it had spoken it" }
    return "\(given) and could not speak it\(reason.map { ": \($0.rawValue)" } ?? "")"
  }

  private static func undeliverable(_ ending: EventEnding, _ event: Happening) -> String {
    if ending.why.isSensitive {
      return
        "\(unheard(event)): its text is secret and never written down,"
        + " so that it was gone when the bus was started again."
    }
    if let count = ending.why.count {
      return "\(unheard(event)): \(failure(ending.why.reason, count))."
    }
    switch ending.why.reason {
    case .noReader:
      return
        "\(unheard(event)): no screen reader was connected,"
        + " and only announcements of high priority are kept for one that comes later."
    case .readerOff:
      return
        "\(unheard(event)): the screen reader was switched off,"
        + " and only announcements of high priority are kept until it is on again."
    case .away:
      return
        "\(unheard(event)): its user did not sit at the machine,"
        + " and nothing of one person is spoken to another."
    case .background, .modal, .mediaSession, .locked, .moved, .missing, .rate, .screenChanged,
      .reader, .noReport, .reported, nil:
      return "\(unheard(event)): there was nobody to deliver it to, by \(quoted(ending.rule))."
    }
  }
}
