// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yModel
package import A11yPresenter
package import A11yWire

/// The explanation of an entry in one to three plain sentences.
///
/// The sentences tell no more than the log does: apps, times, rules and numbers, and never an
/// event's text. All of them are here, for the bus and for every program that explains.
package enum Sentences {
  /// About an entry of any type.
  package static func about(_ account: Account) -> String {
    guard let event = account.event else { return lone(account.asked) }
    if event.seq == account.asked.seq { return story(of: event, account) }
    return role(of: account.asked) + " " + story(of: event, account)
  }

  private static func story(of event: Happening, _ account: Account) -> String {
    if let ending = account.ending {
      return joined([
        end(ending, of: event, account), focus(ending, account), suggestion(ending),
        fate(ending, account),
        done(event, account),
      ])
    }
    switch account.openness {
    case .pending(let pending, let now):
      return joined([waiting(event, pending, now), done(event, account)])
    case .over, .unknown: break
    }
    if event.ends == .always {
      return account.openness == .unknown
        ? "The log has no end of \(name(event.seq)) yet: it waits,"
          + " or the bus was stopped before that was decided."
        : "The log does not say how \(name(event.seq)) ended: the entry that said so is missing."
    }
    return quiet(event, account)
  }

  private static func joined(_ sentences: [String?]) -> String {
    sentences.compactMap { $0 }.joined(separator: " ")
  }

  // MARK: Names

  static func name(_ seq: Seq) -> String { "\(seq.number)" }

  /// “7 to 20, 22 and 25”, of seqs in their order.
  package static func names(_ seqs: [Seq]) -> String {
    var runs: [ClosedRange<Seq>] = []
    for seq in seqs {
      if let last = runs.last, last.upperBound.next == seq {
        runs[runs.count - 1] = last.lowerBound...seq
      } else {
        runs.append(seq...seq)
      }
    }
    return listed(
      runs.flatMap { run in
        let ends = [name(run.lowerBound), name(run.upperBound)]
        if run.lowerBound == run.upperBound { return [ends[0]] }
        return run.lowerBound.next == run.upperBound ? ends : [ends.joined(separator: " to ")]
      }
    )
  }

  /// “a, b and c”.
  package static func listed(_ parts: [String]) -> String {
    guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
    return parts.dropLast().joined(separator: ", ") + " and " + last
  }

  static func quoted(_ rule: String) -> String { "the rule \"\(rule)\"" }

  /// “announcement of high priority”.
  static func kind(_ happening: Happening) -> String {
    switch happening.own {
    case .focus: return "focus move"
    case .deliver: return "delivery"
    case .silence: return "order to be silent"
    case .outcome: return "outcome"
    case .gesture: return "gesture"
    case .seat, .opened, .closed, .rules, .client, .forgot, .forgotten: return "note of the bus"
    case nil: break
    }
    switch happening.published {
    case .announcement: return announcement(happening)
    case .action: return "action of the user" + (happening.word.map { ", \($0)" } ?? "")
    case let type?: return type.row.noun.description
    case nil: return happening.type.isEmpty ? "entry" : happening.type
    }
  }

  private static func announcement(_ happening: Happening) -> String {
    var words = "announcement"
    if let kind = happening.speechClass, kind != "message" { words = "\(kind) " + words }
    if let priority = happening.priority, priority != "default" {
      words += " of \(priority) priority"
    }
    return words
  }

  /// “57, an announcement of high priority from org.x”.
  static func described(_ other: Account.Other?, by seq: Seq, than event: Happening) -> String {
    guard let other else { return name(seq) }
    if other.isHidden { return "\(name(seq)), which is another app's" }
    let kind = kind(other.happening)
    let article = "aeiou".contains(kind.first ?? "x") ? "an" : "a"
    let isForeign = !other.happening.isOfSameApp(as: event) && other.happening.published != .action
    let whose = isForeign && !other.happening.app.isEmpty ? " from \(other.happening.app)" : ""
    return "\(name(seq)), \(article) \(kind)\(whose)"
  }

  // MARK: Around the end

  /// The answer to a wish for the focus.
  private static func focus(_ ending: EventEnding, _ account: Account) -> String? {
    guard let focus = ending.why.focus else { return nil }
    switch focus.result {
    case .moved: return "The focus moved there\(focus.seq.map { ", as \(name($0)) says" } ?? "")."
    case .kept: return nil
    case .denied:
      // The sentence about the end has told why.
      if ending.known == .denied || ending.known == .inhibited { return nil }
      return "The focus did not move there, because \(refusedFocus(focus.reason))."
    }
  }

  /// The suggestion that a denied wish has left.
  private static func suggestion(_ ending: EventEnding) -> String? {
    ending.why.suggestion.map { spot in
      "The place was kept as a suggestion: \(spot.element.text) in \(spot.window.text)."
    }
  }

  /// Why a wish for the focus was denied.
  package static func refusedFocus(_ reason: Reason?) -> String {
    switch reason {
    case .background: "its app is in the background"
    case .moved: "the user had moved on by then"
    case .modal: "what was asked for lies outside of the modal window"
    case .missing: "the element that it names does not exist"
    case .rate: "too many moves were asked for within half a second"
    case .mediaSession: "sound or video is playing in the active window"
    case .locked: "the session was locked"
    case .screenChanged: "its window had just got a new screen"
    case .reported(let words): words
    case .noReader, .readerOff, .away, .reader, .noReport, nil: "it was not allowed"
    }
  }

  /// The end of the event that came in its place.
  private static func fate(_ ending: EventEnding, _ account: Account) -> String? {
    guard let other = account.other, let result = other.result, !other.isHidden else { return nil }
    switch ending.known {
    case .coalesced, .superseded, .summarised: break
    case .duplicate: if other.deliveredAt != nil { return nil }
    case .heard, .interrupted, .inhibited, .expired, .denied, .undeliverable, .cancelled, .handled,
      .unhandled, nil:
      return nil
    }
    let lead = "\(name(other.happening.seq)) was not heard either"
    switch Result(rawValue: result) {
    case .heard: return "\(name(other.happening.seq)) was heard."
    case .summarised where ending.known == .summarised: return "The summary was heard."
    case .interrupted: return "\(name(other.happening.seq)) was heard in part."
    case .coalesced, .superseded: return "\(lead): a newer one came in its place."
    case .duplicate: return "\(lead): it was a repetition."
    case .summarised: return "\(lead): a summary counts it."
    case .inhibited: return "\(lead): it was kept on record only."
    case .expired: return "\(lead): it could not begin in time."
    case .denied: return "\(lead): it was turned down."
    case .undeliverable: return "\(lead): there was nobody to speak it."
    case .cancelled: return "\(lead): its app withdrew it."
    case .handled, .unhandled, nil: return "\(lead): it ended as \(result)."
    }
  }
}

// In few words.
extension Sentences {
  /// “was heard”, or “was not heard: it repeats 41”; the event is the subject.
  package static func brief(_ ending: EventEnding) -> String {
    let why = ending.why
    let lead = extent(why.heard ?? .zero)
    switch ending.known {
    case .heard:
      if why.isSilent { return "was heard, without words" }
      if why.isElsewhere { return "is taken as heard: it was left to another program" }
      return why.isEstimated ? "is taken as heard: the reader has not said so" : "was heard"
    case .handled: return "was handled: its app did what the user asked for"
    case .unhandled: return "was not handled: no app did what the user asked for"
    case .interrupted:
      if ending.ownRule == .onceMore { return "\(lead): it was cut off, and could not begin again" }
      return
        "\(lead): \(stop(ending) ?? ending.by.map { "\(name($0)) cut it off" } ?? "it was cut off")"
    case .superseded, .coalesced:
      return "\(lead): \(ending.by.map(name) ?? "another") is newer and came in its place"
    case .cancelled:
      return "\(lead): its app withdrew it\(ending.by.map { ", with \(name($0))" } ?? "")"
    case .duplicate: return "\(lead): it repeats \(ending.by.map(name) ?? "an earlier one")"
    case .summarised:
      let place = ending.by.map { "the summary that came in place of \(name($0))" }
      return "\(lead) by itself: \(place ?? "a summary that came in its place") counts it"
    case .expired:
      if ending.ownRule == .queueBound { return "\(lead): too many others were waiting" }
      return
        "\(lead): it could not begin \(why.ttl.map { "within \(Lengths.exact($0))" } ?? "in time")"
    case .inhibited: return "\(lead): \(inhibition(ending))"
    case .denied: return "\(lead): \(denial(ending))"
    case .undeliverable: return "\(lead): \(obstacle(ending))"
    case nil: return "ended as \(ending.result)\(ending.by.map { ", by \(name($0))" } ?? "")"
    }
  }

  private static func inhibition(_ ending: EventEnding) -> String {
    switch ending.why.reason {
    case .background: "its app is in the background"
    case .mediaSession: "sound or video is playing in the active window"
    case .locked: "the session was locked"
    case .screenChanged: "its window had just got a new screen"
    case .modal, .moved, .missing, .rate, .noReader, .readerOff, .away, .reader, .noReport,
      .reported, nil:
      ending.by.map { "\(name($0)) had come just before" }
        ?? "\(quoted(ending.rule)) keeps it on record only"
    }
  }

  private static func denial(_ ending: EventEnding) -> String {
    switch ending.denialReason {
    case .modal: "a modal window lies over the place that it came from"
    case let reason?: refusedFocus(reason)
    case nil: "\(quoted(ending.rule)) turned it down"
    }
  }

  private static func obstacle(_ ending: EventEnding) -> String {
    if ending.why.isSensitive { return "its text is secret, and was gone when the bus came back" }
    if let count = ending.why.count {
      return failure(ending.why.reason, count)
    }
    switch ending.why.reason {
    case .noReader: return "no screen reader was connected"
    case .readerOff: return "the screen reader was switched off"
    case .away: return "its user did not sit at the machine"
    case .background, .modal, .mediaSession, .locked, .moved, .missing, .rate, .screenChanged,
      .reader, .noReport, .reported, nil:
      return "there was nobody to deliver it to"
    }
  }
}

// Sentences about events that wait, and about those without an end.
extension Sentences {
  /// An event that waits.
  static func waiting(_ event: Happening, _ pending: Pending, _ now: Instant) -> String {
    let yet = "\(name(event.seq)) has not been heard yet"
    let left = pending.turn.map { Lengths.rough($0 - now) }
    let latest = left.map { ", at the latest in \($0)" } ?? ""
    let begin =
      pending.end.map {
        " It has to be begun within \(Lengths.rough($0 - now)), or it is not spoken any more."
      } ?? ""
    // A turn that comes too late is none.
    let isInTime = pending.turn.map { turn in pending.end.map { turn < $0 } ?? true } ?? false
    switch pending.wait {
    case .busy:
      return "\(yet): its element is busy, and its turn comes when that ends\(latest)."
    case .storm:
      return "\(yet): several elements of its app speak at once; when they are quiet it is"
        + " told, by itself or counted in a summary\(latest)."
    case .feedback:
      return "\(yet): the effect of the user's action is heard first; then its turn comes"
        + "\(latest)."
    case .quiet:
      let rule = pending.rule.map(quoted) ?? "a rule"
      return "\(yet): \(rule) waits until no other comes close behind it\(latest)."
    case .rate:
      let rule = pending.rule.map(quoted) ?? "a rule"
      return "\(yet): \(rule) lets only so many pass"
        + (isInTime ? left.map { "; its turn comes in \($0)." } ?? "." : ".\(begin)")
    case .turn: return "\(yet): it waits for its turn to be spoken.\(begin)"
    case .again:
      return
        "\(name(event.seq)) has been heard in part: it was cut off, and is spoken once more"
        + " when the interruption is over"
        + (pending.end.map { ", if that is within \(Lengths.rough($0 - now))" } ?? "") + "."
    case .voice:
      return "\(yet): the voice of the screen reader has failed, and is tried again"
        + (left.map { " in \($0)" } ?? " soon") + ".\(begin)"
    case .reader:
      return "\(yet): no screen reader is there, or none has said yet that it runs.\(begin)"
    case .readerOff: return "\(yet): the screen reader is switched off.\(begin)"
    case .away: return "\(yet): its user does not sit at the machine.\(begin)"
    case .userPause: return "\(yet): the user has stopped all speech for now.\(begin)"
    case .appPause: return "\(yet): an app has asked readers to be quiet.\(begin)"
    case .doNotDisturb:
      return "\(yet): do not disturb is on, at a level that it does not pass.\(begin)"
    case .modal:
      return "\(yet): a modal window lies over the place that it came from.\(begin)"
    case .userReading: return "\(yet): the user is reading on.\(begin)"
    case .end:
      return "\(name(event.seq)) is being spoken at this moment"
        + (left.map { "; it counts as heard in \($0), should the reader not say when it is" } ?? "")
        + "."
    case .finish:
      return "\(name(event.seq)) is being spoken at this moment"
        + (left.map { "; it is spoken once more, should the reader say nothing of it for \($0)" }
          ?? "")
        + "."
    case .answer:
      return "\(name(event.seq)) has not been handled yet: its app was asked to do it, and has"
        + " \(left ?? "a moment") to answer."
    case .report:
      return "\(name(event.seq)) was cut off just now; the reader is about to say how far it came."
    }
  }

  /// An event that ends without an outcome.
  static func quiet(_ event: Happening, _ account: Account) -> String {
    if event.isOwn { return lone(event) }
    let unspoken = "\(name(event.seq)) is not spoken"
    switch event.published {
    case .action: return action(event, account)
    case .elements:
      return
        "\(unspoken): it says what is in a window, and changes nothing at the element where the"
        + " user is."
    case .focusChanged:
      return account.focus.map { "The focus followed \(name(event.seq)), as \(name($0)) says." }
        ?? "\(name(event.seq)) reports where the focus is; the log does not say that it moved."
    case .window: return "\(unspoken): it says which windows there are."
    case .busy: return "\(unspoken): it says whether an element is busy."
    case .pause: return "\(unspoken): it asks readers to be quiet."
    case .resume: return "\(unspoken): it lets readers go on."
    case .doNotDisturb:
      return "\(unspoken): it says how much may disturb the user."
    case .zoomFocusChanged: return "\(unspoken): it is for the screen magnifier."
    case .contentSizeChanged: return "\(unspoken): it is about the size of text."
    default: return "\(unspoken)." + (event.published.map { " \($0.row.summary)" } ?? "")
    }
  }

  private static func action(_ event: Happening, _ account: Account) -> String {
    let word = event.word ?? "something"
    switch word {
    case "stop", "repeat", "pause", "resume":
      return
        "\(name(event.seq)) is the user's command \(word), for speech as a whole; it is not spoken."
    default: break
    }
    let what = "\(name(event.seq)) is the user's action \(word)."
    if let done = done(event, account) { return "\(what) \(done)" }
    let sound = account.handovers.last { $0.isSilent }?.earcon
    return sound.map { "\(what) It came to nothing, and the sound \"\($0)\" said so." }
      ?? "\(what) The log does not say what it has done."
  }

  /// The effects of a user's action.
  static func done(_ event: Happening, _ account: Account) -> String? {
    guard event.published == .action else { return nil }
    let done = (account.feedback + [account.focus].compactMap { $0 }).sorted()
    guard !done.isEmpty else { return nil }
    return "It has led to \(names(Array(done.prefix(8))))."
  }

  /// The role of an entry in the story of the event that it is about.
  static func role(of asked: Happening) -> String {
    let me = name(asked.seq)
    let of = asked.of.last.map(name) ?? "an event"
    switch asked.own {
    case .deliver: return "\(me) gave \(of) to readers."
    case .outcome: return "\(me) says how \(of) ended."
    case .silence:
      return asked.word == "yes"
        ? "\(me) told readers to hold \(of)." : "\(me) told readers to stop \(of)."
    case .gesture: return "\(me) asked \(asked.app) to do what the user wanted with \(of)."
    case .focus, .seat, .opened, .closed, .rules, .client, .forgot, .forgotten, nil: break
    }
    switch asked.published {
    case .speech:
      let state = asked.word.map { $0 == "started" ? "begun with" : $0 } ?? "come to"
      switch state {
      case "interrupted": return "\(me) is a reader's report that it was interrupted in \(of)."
      case "progress": return "\(me) is a reader's report that it is still speaking \(of)."
      case "elsewhere": return "\(me) is a reader's report that another program presents \(of)."
      default: return "\(me) is a reader's report that it has \(state) \(of)."
      }
    case .handled: return "\(me) is the answer to the gesture \(of)."
    case .cancel: return "\(me) withdraws \(of)."
    default: return "\(me) is about \(of)."
    }
  }

  /// An entry that is about no other, or about one that is gone.
  static func lone(_ asked: Happening) -> String {
    guard asked.of.isEmpty else {
      return "\(role(of: asked)) The log does not have that entry any more."
    }
    if asked.published == .speech {
      return "\(name(asked.seq)) is a reader's word on the user's own reading."
    }
    return "\(name(asked.seq)) is a note of the bus; nothing of it is spoken."
  }
}
