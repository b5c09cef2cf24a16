// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yEngine
internal import A11yWire

// What has not ended, and what never does.
extension Sentences {
  /// An event that waits.
  static func waiting(_ event: Happening, _ pending: Pending, _ now: Int64) -> String {
    let left = pending.due.map { Lengths.rough($0 - now) }
    let latest = left.map { ", at the latest in \($0)" } ?? ""
    let begin = left.map { " It has to be begun within \($0), or it is not spoken any more." } ?? ""
    switch pending.wait {
    case .busy:
      return "Not heard yet: its element is busy, and it goes on when that ends\(latest)."
    case .storm:
      return "Not heard yet: several elements of its app speak at once; when they are quiet it is"
        + " told, by itself or counted in a summary\(latest)."
    case .feedback:
      return "Not heard yet: what the user's action has done is heard first; then it goes on"
        + "\(latest)."
    case .quiet:
      let rule = pending.rule.map { "; \(quoted($0)) waits until no other comes" } ?? ""
      return "Not heard yet: it goes on when it is quiet around it\(latest)\(rule)."
    case .rate:
      let rule = pending.rule.map(quoted) ?? "a rule"
      return "Not heard yet: \(rule) lets only so many pass"
        + (left.map { "; its turn comes in \($0)" } ?? "") + "."
    case .turn: return "Not heard yet: it waits for its turn to be spoken.\(begin)"
    case .again:
      return
        "Heard in part so far: it was cut off, and is spoken once more as soon as what has cut it"
        + " is over" + (left.map { ", if that is within \($0)" } ?? "") + "."
    case .reader:
      return "Not heard yet: no screen reader is there, or it has not settled yet whether one"
        + " runs.\(begin)"
    case .readerOff: return "Not heard yet: the screen reader is switched off.\(begin)"
    case .userPause: return "Not heard yet: the user has stopped all speech for now.\(begin)"
    case .appPause: return "Not heard yet: an app has asked readers to be quiet.\(begin)"
    case .doNotDisturb:
      return "Not heard yet: do not disturb is on, at a level that it does not pass.\(begin)"
    case .modal:
      return "Not heard yet: a modal window lies over the place that it came from.\(begin)"
    case .userReading: return "Not heard yet: the user is reading by himself.\(begin)"
    case .end:
      return "It is being spoken at this moment"
        + (left.map { "; it counts as heard in \($0), should the reader not say when it is" } ?? "")
        + "."
    case .answer:
      return "Not handled yet: its app was asked to do it, and has \(left ?? "a moment") to answer."
    case .report: return "It was cut off just now; the reader is about to say how far it came."
    }
  }

  /// An event that ends without an outcome.
  static func quiet(_ event: Happening, _ account: Account) -> String {
    if event.isOwn { return lone(event) }
    switch event.published {
    case .action: return action(event, account)
    case .elements:
      return "Nothing of it was spoken: it says what is in a window, and no change in it was one of"
        + " the element that the user is at."
    case .focusChanged:
      return account.focus.map { "The focus followed it: \(name($0))." }
        ?? "It says where the focus is, and was not turned down."
    case .window: return "Nothing is spoken of it: it says which windows there are."
    case .busy: return "Nothing is spoken of it: it says whether an element is busy."
    case .pause: return "Nothing is spoken of it: it asks readers to be quiet."
    case .resume: return "Nothing is spoken of it: it lets readers go on."
    case .doNotDisturb:
      return "Nothing is spoken of it: it says how much may disturb the user."
    case .zoomFocusChanged: return "Nothing is spoken of it: it is for the screen magnifier."
    case .contentSizeChanged: return "Nothing is spoken of it: it is about the size of text."
    case .announcement, .layoutChanged, .screenChanged, .pageScrolled, .voiceOverStatus, .handled,
      .cancel, .speech, nil:
      return "Nothing is spoken of it."
    }
  }

  private static func action(_ event: Happening, _ account: Account) -> String {
    let word = event.word ?? "something"
    switch word {
    case "stop", "repeat", "pause", "resume":
      return "The user's word to the speech itself: \(word). Nothing is spoken of that."
    default: break
    }
    let what = "The user's action: \(word)."
    if let done = done(event, account) { return "\(what) \(done)" }
    let sound = account.handovers.last { $0.isSilent }?.earcon
    return sound.map { "\(what) It came to nothing, and the sound \"\($0)\" said so." }
      ?? "\(what) Nothing is on record that tells what it has done."
  }

  /// What a user's action has led to.
  static func done(_ event: Happening, _ account: Account) -> String? {
    guard event.published == .action else { return nil }
    let done = (account.feedback + [account.focus].compactMap { $0 }).map(\.number)
    guard !done.isEmpty else { return nil }
    return
      "What it has done: \(done.sorted().prefix(8).map { "seq \($0)" }.joined(separator: ", "))."
  }

  /// What an entry has to do with the event that it speaks of.
  static func role(of asked: Happening) -> String {
    let me = name(asked.seq).asSentenceStart
    let of = asked.of.last.map(name) ?? "an event"
    switch asked.own {
    case .deliver: return "\(me) gave \(of) to readers."
    case .outcome: return "\(me) is the outcome of \(of)."
    case .silence:
      return asked.word == "yes"
        ? "\(me) told readers to hold \(of)." : "\(me) told readers to stop \(of)."
    case .gesture: return "\(me) asked \(asked.app) to do what the user wanted with \(of)."
    case .focus, .opened, .closed, .rules, .client, .forgotten, nil: break
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

  /// An entry that speaks of nothing, or of something that is gone.
  static func lone(_ asked: Happening) -> String {
    guard asked.of.isEmpty else {
      return role(of: asked) + " The log does not have that any more."
    }
    if asked.published == .speech {
      return "\(name(asked.seq).asSentenceStart) is a reader's word that the user reads by himself."
    }
    return "\(name(asked.seq).asSentenceStart) is a note of the bus; nothing of it is spoken."
  }
}

// In few words.
extension Sentences {
  /// “heard”, or “not heard: duplicate of seq 41, rule announcement default”.
  package static func brief(_ ending: Ending) -> String {
    let by = ending.by.map { name($0) }
    let rule = ending.rule.isEmpty ? "" : ", rule \(ending.rule)"
    let heard = ending.why.heard ?? 0
    let part = heard > 0 ? "heard in part, \(Lengths.rough(heard * 1_000))" : "not heard"
    switch ending.known {
    case .heard:
      if ending.why.isSilent { return "delivered without words" }
      return ending.why.isEstimated ? "taken as heard, the reader has not said so" : "heard"
    case .handled: return "handled"
    case .unhandled: return "not handled"
    case .interrupted: return "\(part): interrupted\(by.map { " by \($0)" } ?? "")\(rule)"
    case .superseded: return "\(part): superseded\(by.map { " by \($0)" } ?? "")\(rule)"
    case .cancelled: return "\(part): withdrawn\(by.map { " with \($0)" } ?? "")"
    case .duplicate: return "not heard: duplicate\(by.map { " of \($0)" } ?? "")\(rule)"
    case .coalesced:
      return "not heard by itself: coalesced\(by.map { " into \($0)" } ?? "")\(rule)"
    case .summarised:
      return "not heard by itself: counted in \(by.map { "the summary of \($0)" } ?? "a summary")"
        + rule
    case .expired:
      let after = ending.why.ttl.map { " after \(Lengths.exact($0))" } ?? ""
      return "not heard: expired\(after)\(rule)"
    case .inhibited, .denied, .undeliverable:
      let reason = ending.why.reason.map { ", \($0)" } ?? ""
      return "not heard: \(ending.result)\(reason)\(rule)"
    case nil: return "\(ending.result)\(by.map { " by \($0)" } ?? "")\(rule)"
    }
  }
}
