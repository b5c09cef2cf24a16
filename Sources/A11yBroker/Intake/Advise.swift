// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yAdvice
internal import A11yPresenter
internal import A11yModel
internal import A11yRules
internal import A11yWire

extension Session {
  /// The warnings to the publisher of an event that the presenter has just got.
  ///
  /// Lost parts of an event are told to everybody; style only to a connection that has asked for
  /// advice, as judging texts costs more than all other work for an event.
  func warnings(
    on event: borrowing WireEvent,
    _ type: EventType,
    _ model: Model,
    _ notes: Presenter.Notes,
    at mono: Int64
  ) -> AdviceList {
    var list = AdviceList(bound: AdviceList.ofReply)
    if notes.isLowInBackground { Background.adviseLow(into: &list) }
    if type == .window, event.says(.state, "active"), !model.seat.admits(sender.key.uid) {
      Background.warnOfSeat(into: &list)
    }
    if notes.isMissing, let element = event.name(.element) {
      FocusMissing.warn(element.text, into: &list)
    }
    if let word = notes.unknownClass {
      ClassUnknown.warn(word, known: SpeechClass.known.map(\.word), into: &list)
    }
    Adviser.adviseOnLoss(of: event, type, into: &list)
    if wantsAdvice {
      advise(on: event, type, model, notes, at: Instant(microseconds: mono), into: &list)
    }
    return list
  }

  /// Adds advice on style.
  ///
  /// The same advice comes again with each event.
  private func advise(
    on event: borrowing WireEvent,
    _ type: EventType,
    _ model: Model,
    _ notes: Presenter.Notes,
    at now: Instant,
    into list: inout AdviceList
  ) {
    if pauses.isOpen, pauses.endOverlong(by: now) { PauseWatch.adviseUnresumed(into: &list) }
    Adviser.adviseOnStyle(
      of: event,
      type,
      model,
      from: sender.key,
      isWholeKnown: true,
      into: &list
    )
    switch type {
    case .announcement: Adviser.adviseOnAnnouncement(event, &tally.habits, at: now, into: &list)
    case .layoutChanged, .screenChanged:
      guard event.member(.element) != nil, let answer = notes.focus else { break }
      let isDenied = answer.result == .denied
      tally.habits.askForFocus(isDenied: isDenied, at: now, into: &list)
    case .pause: pauses.pause(at: now)
    case .resume: pauses.resume()
    default: break
    }
  }
}
