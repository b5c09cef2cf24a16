// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yPresenter
internal import A11yWire

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
    default: return "\(unspoken)."
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
