// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

internal import A11yAdvice
internal import A11yEngine
internal import A11yModel
internal import A11yWire

extension Broker {
  /// What its publisher is told of an event that the engine has just taken.
  ///
  /// The same is told again with each event: who looks finds it wherever they look.
  func advise(
    on event: JSONIndex,
    _ type: EventType,
    of line: JSONDocument,
    _ session: Session
  ) -> AdviceList {
    var list = AdviceList(bound: AdviceList.ofReply)
    if session.pauses.isOpen, session.pauses.end(by: stamp.mono) { PauseWatch.advise(into: &list) }
    Adviser.look(
      at: event,
      type,
      in: line,
      engine.model,
      from: session.key,
      isWholeKnown: true,
      into: &list
    )
    switch type {
    case .announcement:
      let now = stamp.mono
      Adviser.look(atAnnouncement: event, in: line, &session.tally.habits, at: now, into: &list)
      if engine.notes.isLowInBackground { Background.adviseLow(into: &list) }
    case .layoutChanged, .screenChanged:
      guard line.member("element", of: event) != nil, let answer = engine.notes.focus else { break }
      let isDenied = answer.result == .denied
      session.tally.habits.askForFocus(isDenied: isDenied, at: stamp.mono, into: &list)
    case .pause: session.pauses.pause(at: stamp.mono)
    case .resume: session.pauses.resume()
    case .pageScrolled, .focusChanged, .voiceOverStatus, .elements, .window, .handled, .busy,
      .cancel, .zoomFocusChanged, .contentSizeChanged, .action, .doNotDisturb, .speech:
      break
    }
    return list
  }
}
