// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yPresenter
import A11yModel
import A11yWire
import Testing

@testable import A11yExplain

extension SentencesTests {
  /// The ends of events, with the words for them.
  static let rows: [Row] = [
    // Heard.
    Row(
      "42 was heard: a reader began to speak it at once, and finished in 0.7 s.",
      .heard,
      rule: "announcement default"
    ) { $0.heard = .milliseconds(700) },
    Row(
      "42 was heard: a reader began to speak it, 0.3 s after it came, and finished in 1 s.",
      .heard,
      rule: "announcement default"
    ) {
      $0.waited = .milliseconds(300)
      $0.heard = .seconds(1)
    },
    Row(
      "42 was heard: a reader began to speak it at once, and finished in 1 s. It had been"
        + " cut off before, and was spoken once more.",
      .heard,
      rule: "announcement default",
      handovers: [Row.handover { _ in }, Row.handover { $0.isAgain = true }]
    ) { $0.heard = .seconds(1) },
    Row(
      "42 was heard: a reader began to speak it at once, and finished in 1 s. The reader had"
        + " failed to speak it before, and was given it once more.",
      .heard,
      rule: "announcement default",
      handovers: [Row.handover { $0.isLost = true }, Row.handover { $0.isAgain = true }]
    ) { $0.heard = .seconds(1) },
    Row(
      "42 was heard: a reader was given it at once, and spoke it in 1 s. Another program was"
        + " speaking before it.",
      .heard,
      rule: "announcement default"
    ) {
      $0.heard = .seconds(1)
      $0.isBehindOthers = true
    },
    Row(
      "42 was heard: a reader began to speak it at once, and finished in 3 min. It was"
        + " too long: only its beginning was spoken.",
      .heard,
      rule: "announcement default",
      handovers: [Row.handover { $0.isTruncated = true }]
    ) { $0.heard = .seconds(200) },
    Row(
      "42 is taken as heard: a reader was given it, and has not said that it finished;"
        + " after 2.7 s it must have finished.",
      .heard,
      rule: "announcement default"
    ) {
      $0.heard = .milliseconds(2_700)
      $0.isEstimated = true
    },
    Row(
      "42 was heard, without words: there was nothing to say, and readers were told of the change.",
      .heard,
      rule: "layout-changed",
      of: Row.happening(42, "layout-changed")
    ) { $0.isSilent = true },
    Row(
      #"42 was heard, without words: there was nothing to say, and the sound "screen" was"#
        + " played.",
      .heard,
      rule: "screen-changed",
      of: Row.happening(42, "screen-changed"),
      handovers: [Row.handover { $0.earcon = "screen" }]
    ) { $0.isSilent = true },
    Row(
      "42 was heard, without words: there was nothing to say, and readers were told of"
        + " the change. The focus did not move there, because the user had moved on by then.",
      .heard,
      rule: "layout-changed",
      of: Row.happening(42, "layout-changed")
    ) {
      $0.isSilent = true
      $0.focus = FocusAnswer(.denied, reason: Reason(rawValue: "moved"), seq: nil)
    },

    // Duplicates.
    Row(
      "42 was not heard: it was the same text as 41 from the same app, delivered 0.4 s"
        + #" before; the rule "announcement default" counts such repetitions within 1 s as"#
        + " duplicates.",
      .duplicate,
      rule: "announcement default",
      by: 41,
      other: Row.other(Row.happening(41, "announcement"), deliveredAt: 9_600_000, .heard)
    ) { $0.window = .seconds(1) },
    Row(
      "42 was not heard: it was the same text as 41 from the same app, which was still"
        + #" waiting to be spoken; the rule "announcement default" counts such repetitions"#
        + " within 1 s as duplicates. 41 was heard.",
      .duplicate,
      rule: "announcement default",
      by: 41,
      other: Row.other(Row.happening(41, "announcement"), .heard)
    ) { $0.window = .seconds(1) },
    Row(
      "42 was not heard: it was the same value as 41 from the same app, delivered 2 s"
        + #" before; the rule "class value" tells only of changes."#,
      .duplicate,
      rule: "class value",
      by: 41,
      of: Row.happening(42, "elements"),
      other: Row.other(Row.happening(41, "elements"), deliveredAt: 8_000_000, .heard)
    ),
    Row(
      "42 was not heard: readers knew of it already, from 41.",
      .duplicate,
      rule: "voiceover-status",
      by: 41,
      of: Row.happening(42, "voiceover-status")
    ),

    // Another in its place.
    Row(
      "42 was not heard: 43, a change of layout, followed it within 100 ms; the rule"
        + #" "layout-changed" passes on only the newest of those that come so close together."#
        + " 43 was heard.",
      .coalesced,
      rule: "layout-changed",
      by: 43,
      of: Row.happening(42, "layout-changed"),
      other: Row.other(Row.happening(43, "layout-changed"), .heard)
    ) { $0.window = .milliseconds(100) },
    Row(
      "42 was not heard: 43, an announcement, is newer and came while it waited; the rule"
        + #" "class status" lets 1 in 1 s or 2 at once pass, and of those that wait only the"#
        + " newest. 43 was not heard either: it could not begin in time.",
      .coalesced,
      rule: "class status",
      by: 43,
      other: Row.other(Row.happening(43, "announcement"), .expired)
    ) { $0.rate = Why.Rate("1/1 s, burst 2") },
    Row(
      "42 was not heard: its element was busy, and of all that comes from a busy element"
        + " only the newest is passed on; 43 came later.",
      .coalesced,
      rule: "busy",
      by: 43
    ) { $0.due = Instant(microseconds: 12_000_000) },
    Row(
      "42 was not heard: 43 is newer and came in its place, while it waited until the"
        + " effect of the user's action was heard; of those with one key only the newest is"
        + " kept.",
      .coalesced,
      rule: "after-action hold",
      by: 43
    ),
    Row(
      "42 was not heard: 60, a change of screen, came before its turn, and nobody needs"
        + " to hear of the old screen any more.",
      .superseded,
      rule: "screen-changed",
      by: 60,
      other: Row.other(Row.happening(60, "screen-changed"))
    ),
    Row(
      "42 was not heard: 60, an announcement, is newer and came in its place; the rule"
        + #" "class progress" keeps only the newest of its kind. 60 was heard."#,
      .superseded,
      rule: "class progress",
      by: 60,
      other: Row.other(Row.happening(60, "announcement"), .heard)
    ),
    Row(
      "42 was not heard: 60, a focus move, came before its turn, and the user is elsewhere by now.",
      .superseded,
      rule: "focus",
      by: 60,
      of: Row.own(42, "focus"),
      other: Row.other(Row.own(60, "focus"))
    ),
    Row(
      "42 was heard in part, for 0.3 s: 60, a focus move, is newer and came in its place.",
      .superseded,
      rule: "interruption",
      by: 60,
      of: Row.own(42, "focus"),
      other: Row.other(Row.own(60, "focus"))
    ) { $0.heard = .milliseconds(300) },
    Row(
      #"42 was not heard by itself: the rule "announcement low" lets 1 in 2 s or 5"#
        + " at once pass, and more came; the summary that came in place of 40 counts it. The"
        + " summary was heard.",
      .summarised,
      rule: "announcement low",
      by: 40,
      other: Row.other(Row.happening(40, "announcement"), .summarised)
    ) { $0.rate = Why.Rate("1/2 s, burst 5") },
    Row(
      "42 was not heard by itself: 9 others were waiting to be spoken already; the"
        + " summary that came in place of 40 counts it.",
      .summarised,
      rule: "queue bound",
      by: 40
    ) { $0.count = 9 },
    Row(
      "42 was not heard by itself: many elements of org.x spoke at once, nobody having"
        + " asked them to; the summary that came in place of 40 counts it.",
      .summarised,
      rule: "storm",
      by: 40
    ),
    Row(
      "42 was not heard by itself: a summary of 12 events from org.x, which counts it, was"
        + " spoken in its place.",
      .summarised,
      rule: "announcement low",
      handovers: [Row.handover { $0.count = 12 }]
    ),

    // Cut off.
    Row(
      "42 was heard in part, for 0.8 s: 57, an announcement of high priority from org.y,"
        + " was more urgent and cut it off.",
      .interrupted,
      rule: "interruption",
      by: 57,
      other: Row.other(Row.high(57, app: "org.y"))
    ) { $0.heard = .milliseconds(800) },
    Row(
      "42 was not heard: the user stopped the speech. That is an estimate: the reader has"
        + " not said how far it came.",
      .interrupted,
      rule: "stop",
      by: 57
    ) {
      $0.heard = .milliseconds(0)
      $0.isEstimated = true
    },
    Row(
      "42 was heard in part, for 1.2 s: the reader broke it off by itself.",
      .interrupted,
      rule: "announcement default"
    ) {
      $0.heard = .milliseconds(1_200)
      $0.reason = Reason(rawValue: "reader")
    },
    Row(
      "42 was heard in part, for 1.2 s, and cut after “Backup has”: the user stopped the speech.",
      .interrupted,
      rule: "stop",
      by: 57,
      lastWords: "Backup has"
    ) { $0.heard = .milliseconds(1_200) },
    Row(
      "42 was heard in part, for 1.2 s: the reader was switched off.",
      .interrupted,
      rule: "reader",
      by: 57
    ) { $0.heard = .milliseconds(1_200) },
    Row(
      "42 was heard in part: 57 cut it off. It was to be spoken once more, and could not"
        + " be begun again within 3 s.",
      .interrupted,
      rule: "once more",
      by: 57
    ) { $0.window = .seconds(3) },
    Row(
      "42 was not heard: its app withdrew it with 44 before it was spoken.",
      .cancelled,
      rule: "cancel",
      by: 44
    ),
    Row(
      "42 was heard in part, for 0.2 s: its app withdrew it with 44.",
      .cancelled,
      rule: "cancel",
      by: 44
    ) { $0.heard = .milliseconds(200) },

    // Nothing came of it.
    Row(
      "42 was not heard: its app is in the background, from where announcements of low"
        + " priority are kept on record only.",
      .inhibited,
      rule: "background"
    ) { $0.reason = Reason(rawValue: "background") },
    Row(
      "42 was not heard: sound or video is playing in the active window, and only"
        + " announcements of high priority may speak over it.",
      .inhibited,
      rule: "media session"
    ) { $0.reason = Reason(rawValue: "media-session") },
    Row(
      #"42 was not heard: the rule "quiet chat" keeps such events on record only."#,
      .inhibited,
      rule: "quiet chat"
    ),
    Row(
      "42 was not heard: 41, a change of screen, had come just before, and for a moment"
        + " nothing else in its window is told.",
      .inhibited,
      rule: "screen-changed",
      by: 41,
      of: Row.own(42, "focus"),
      other: Row.other(Row.happening(41, "screen-changed"))
    ),
    Row(
      #"42 was not heard: it had to be begun within 10 s, by the rule "announcement"#
        + #" default", and its turn had not come after 10 s."#,
      .expired,
      rule: "announcement default"
    ) { ($0.ttl, $0.waited) = (.seconds(10), .seconds(10)) },
    Row(
      #"42 was not heard: it had to be begun within 10 s, by the rule "announcement"#
        + #" default", and do not disturb still kept it back after 10 s."#,
      .expired,
      rule: "announcement default"
    ) {
      ($0.ttl, $0.waited) = (.seconds(10), .seconds(10))
      $0.heldBy = .doNotDisturb
    },
    Row(
      #"42 was not heard: it had to be begun within 10 s, by the rule "announcement"#
        + #" default", and its rate, 1 in 1 s or 5 at once, still kept it back after 10 s."#,
      .expired,
      rule: "announcement default"
    ) {
      ($0.ttl, $0.waited) = (.seconds(10), .seconds(10))
      $0.rate = Why.Rate("1/1 s, burst 5")
      $0.heldBy = .rate
    },
    Row(
      "42 was not heard: it had to be begun within 2 s, as it asked for itself, and the"
        + " user still had speech paused after 2 s.",
      .expired,
      rule: "ttl"
    ) {
      ($0.ttl, $0.waited) = (.seconds(2), .seconds(2))
      $0.heldBy = .userPause
      $0.isFromEvent = true
    },
    Row(
      "42 was not heard: 64 others were waiting to be spoken, and it had to give way to them.",
      .expired,
      rule: "queue bound"
    ) { $0.count = 64 },
    Row(
      "42 was not heard: a modal window of its app lies over the place that it came from,"
        + " and nothing of it is told until that window is closed.",
      .denied,
      rule: "modal",
      of: Row.happening(42, "page-scrolled")
    ) { $0.reason = Reason(rawValue: "modal") },
    Row(
      "42 was not heard: its app is in the background, and may not ask for the focus from there.",
      .denied,
      rule: "background",
      of: Row.happening(42, "layout-changed")
    ) {
      $0.reason = Reason(rawValue: "background")
      $0.focus = FocusAnswer(.denied, reason: Reason(rawValue: "background"), seq: nil)
    },
    Row(
      "42 was not heard: it asked for the focus, which did not move there, because the"
        + " user had moved on by then. The place was kept as a suggestion: ok in dlg.",
      .denied,
      rule: "focus protection",
      of: Row.happening(42, "layout-changed")
    ) {
      $0.reason = Reason(rawValue: "moved")
      $0.focus = FocusAnswer(.denied, reason: Reason(rawValue: "moved"), seq: nil)
      $0.suggestion = Model.Spot(
        app: AppKey(uid: 1_000, app: Name("org.x")),
        window: Name("dlg"),
        element: Name("ok")
      )
    },
    Row(
      "42 was not followed: the focus stays where it was, because its app is in the background.",
      .denied,
      rule: "focus",
      of: Row.happening(42, "focus-changed")
    ) { $0.reason = Reason(rawValue: "background") },
    Row(
      "42 changed nothing: the focus was there already, since 41.",
      .duplicate,
      rule: "focus",
      by: 41,
      of: Row.happening(42, "focus-changed")
    ),
    Row(
      "42 was not followed: its window had just got a new screen, and for a moment the"
        + " focus moves there only into a text field, or by the user.",
      .inhibited,
      rule: "focus",
      of: Row.happening(42, "focus-changed")
    ) {
      $0.reason = Reason(rawValue: "screen-changed")
      $0.focus = FocusAnswer(.denied, reason: .screenChanged, seq: Seq(stated: 41))
    },
    Row(
      "42 was heard in part, for 0.4 s: the user left with escape.",
      .interrupted,
      rule: "escape",
      by: 57
    ) { $0.heard = .milliseconds(400) },
    Row(
      "42 was not heard: it asked for the focus, which did not move there, because the element"
        + " that it names does not exist.",
      .denied,
      rule: "focus",
      of: Row.happening(42, "layout-changed")
    ) { $0.focus = FocusAnswer(.denied, reason: Reason(rawValue: "missing"), seq: nil) },
    Row(
      "42 was not heard: no screen reader was connected, and only announcements of high"
        + " priority are kept for one that comes later.",
      .undeliverable,
      rule: "reader"
    ) { $0.reason = Reason(rawValue: "no reader") },
    Row(
      "42 was not heard: the screen reader was switched off, and only announcements of"
        + " high priority are kept until it is on again.",
      .undeliverable,
      rule: "reader"
    ) { $0.reason = Reason(rawValue: "reader off") },
    Row(
      "42 was not heard: a reader was given it 3 times and could not speak it: no audio device.",
      .undeliverable,
      rule: "reader"
    ) {
      $0.count = 3
      $0.reason = Reason(rawValue: "no audio device")
    },
    Row(
      "42 is taken as heard: it was left to Orca, which presents it.",
      .heard,
      rule: "announcement default",
      presenter: "Orca"
    ) {
      $0.isElsewhere = true
      $0.isEstimated = true
    },
    Row(
      "42 is taken as heard: it was left to another program, which presents it.",
      .heard,
      rule: "announcement default"
    ) {
      $0.isElsewhere = true
      $0.isEstimated = true
    },
    Row(
      "42 was heard in part: its reader was gone. It was to be spoken once more, and"
        + " could not be begun again within 10 s.",
      .interrupted,
      rule: "once more"
    ) { $0.ttl = .seconds(10) },
    Row(
      "42 was not heard: its text is secret and never written down, so that it was gone"
        + " when the bus was started again.",
      .undeliverable,
      rule: "restart"
    ) { $0.isSensitive = true },

    // Gestures.
    Row(
      "42 was handled: the app did what the user asked for.",
      .handled,
      rule: "gesture",
      of: Row.happening(42, "action")
    ),
    Row(
      "42 was not handled: nobody took it on within 1 s, and the user was told so by a sound.",
      .unhandled,
      rule: "gesture",
      of: Row.happening(42, "action")
    ),
    Row(
      "42 was not handled: the app has nothing to do for it, and the user was told so by a sound.",
      .unhandled,
      rule: "gesture",
      of: Row.happening(42, "action")
    ) { $0.waited = .milliseconds(5) },
  ]
}
