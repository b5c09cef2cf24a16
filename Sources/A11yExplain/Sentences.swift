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
    case .screenChanged: "its window had just got a new screen"
    case .reported(let words): words
    case .noReader, .readerOff, .reader, .noReport, nil: "it was not allowed"
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
