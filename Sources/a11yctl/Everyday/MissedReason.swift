// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yExplain
import A11yPresenter

/// The reason why a text was not heard, without the numbers of the single case.
///
/// In the order in which they are told: the nearer to a loss, the earlier.
enum MissedReason: Hashable {
  case expired(Obstacle?)
  case noReader
  case readerOff
  /// The reader had it, and could not speak it.
  case failed
  /// It was secret, and gone when the bus came back.
  case secret
  case cut
  case muted
  case background
  case media
  case modal
  /// A rule of a file, or another one that keeps events on record.
  case rule(String)
  case stopped
  /// A summary counts it.
  case counted
  case withdrawn
  case newer
  case repeated
  case other(String)

  /// The reason of an ending; nil where the text was heard.
  init?(_ ending: EventEnding) {
    let why = ending.why
    switch ending.known {
    case .heard, .handled: return nil
    case .unhandled: return nil
    case .expired: self = .expired(why.heldBy)
    case .undeliverable:
      if why.isSensitive {
        self = .secret
      } else if why.reason == .noReader {
        self = .noReader
      } else {
        self = why.reason == .readerOff ? .readerOff : .failed
      }
    case .interrupted: self = Self.isByUser(ending.ownRule) ? .stopped : .cut
    case .inhibited, .denied: self = Self.refusal(ending)
    case .summarised: self = .counted
    case .cancelled: self = .withdrawn
    case .coalesced, .superseded: self = .newer
    case .duplicate: self = .repeated
    case nil: self = .other(ending.result)
    }
  }

  private static func refusal(_ ending: EventEnding) -> MissedReason {
    switch ending.denialReason {
    case .background: return .background
    case .mediaSession: return .media
    case .modal: return .modal
    default: return ending.rule == Mute.rule ? .muted : .rule(ending.rule)
    }
  }

  private static func isByUser(_ rule: OwnRule?) -> Bool {
    rule == .stop || rule == .escape || rule == .repeat || rule == .pause
  }

  /// The place in the order of telling.
  var rank: Int {
    switch self {
    case .expired: 0
    case .noReader: 1
    case .readerOff: 2
    case .failed: 3
    case .secret: 4
    case .cut: 5
    case .muted: 6
    case .background: 7
    case .media: 8
    case .modal: 9
    case .rule: 10
    case .stopped: 11
    case .counted: 12
    case .withdrawn: 13
    case .newer: 14
    case .repeated: 15
    case .other: 16
    }
  }

  /// The reason in a clause.
  var clause: String {
    switch self {
    case .expired(let obstacle): obstacle.map(Self.kept) ?? "it came too late to be worth saying"
    case .noReader: "no screen reader was connected"
    case .readerOff: "the screen reader was off"
    case .failed: "the screen reader could not speak it"
    case .secret: "it was secret, and gone when the bus came back"
    case .cut: "something else cut it off"
    case .muted: "you have muted the app"
    case .background: "the app was in the background"
    case .media: "sound or video was playing in the active window"
    case .modal: "a modal window lay over its place"
    case .rule(let name): "the rule \"\(name)\" keeps such texts on record only"
    case .stopped: "you stopped the speech"
    case .counted: "a summary told of it together with others"
    case .withdrawn: "the app took it back"
    case .newer: "a newer one came in its place"
    case .repeated: "it repeated what had been said before"
    case .other(let result): "it ended as \(result)"
    }
  }

  /// The obstacle that kept it until it was too late.
  private static func kept(by obstacle: Obstacle) -> String {
    let time = "until it was too late"
    switch obstacle {
    case .readerOff: return "no screen reader was there to speak it in time"
    case .doNotDisturb: return "it was quiet \(time)"
    case .userPause: return "you had speech paused \(time)"
    case .appPause: return "an app asked for silence \(time)"
    case .modal: return "a modal window lay over its place \(time)"
    case .rate: return "too many came at once, and it was kept back \(time)"
    case .hold, .debounce, .turn, .reading: return "its turn did not come in time"
    }
  }

  /// The obstacle to a text that still waits.
  static func waiting(for obstacle: Obstacle?) -> String {
    switch obstacle {
    case .readerOff: "for a screen reader"
    case .doNotDisturb: "until it is not quiet any more"
    case .userPause: "until you let speech go on"
    case .appPause: "until an app lets readers speak again"
    case .modal: "until a modal window is closed"
    case .hold, .debounce, .rate, .turn, .reading, nil: "for their turn"
    }
  }
}
