// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yModel
package import A11yWire

/// Advises the publisher of an event on what could be better in it.
///
/// Advice is given only where it is certain. A text may be a name, a file, a text of the user or of
/// a language that is not known here, and publishers who are told of mistakes that are none stop
/// listening. So every check has a table of what it knows, and is silent about the rest.
package enum Adviser {
  /// Advises on text that will not be spoken, which is no question of style.
  package static func adviseOnLoss(
    of event: borrowing WireEvent,
    _ type: EventType,
    into list: inout AdviceList
  ) {
    switch type {
    case .announcement, .layoutChanged, .screenChanged, .pageScrolled:
      TextCheck.checkLoss(event, into: &list)
    case .focusChanged, .voiceOverStatus, .elements, .window, .handled, .busy, .pause, .resume,
      .cancel, .zoomFocusChanged, .contentSizeChanged, .action, .doNotDisturb, .speech:
      break
    }
  }

  /// Advises on the style of an event.
  ///
  /// `model` is the model right after the event. `isWholeKnown` says whether the model knows all
  /// that was ever published of the window; a model that began in the middle may lack what is
  /// there.
  package static func adviseOnStyle(
    of event: borrowing WireEvent,
    _ type: EventType,
    _ model: Model,
    from app: @autoclosure () -> AppKey,
    isWholeKnown: @autoclosure () -> Bool,
    into list: inout AdviceList
  ) {
    switch type {
    case .layoutChanged, .screenChanged, .pageScrolled:
      if type == .layoutChanged, event.member(.text) != nil { LayoutText.warn(into: &list) }
      TextCheck.checkStyle(event, isAnnouncement: false, into: &list)
    case .elements:
      let elements = ElementsEvent(event.index, of: event.line, app())
      elements.advise(by: model, isWholeKnown: isWholeKnown(), event.line, into: &list)
    case .announcement, .focusChanged, .voiceOverStatus, .window, .handled, .busy, .pause, .resume,
      .cancel, .zoomFocusChanged, .contentSizeChanged, .action, .doNotDisturb, .speech:
      break
    }
  }

  /// Advises on the style of an announcement at `now`, and on the habits of its app.
  package static func adviseOnAnnouncement(
    _ event: borrowing WireEvent,
    _ habits: inout Habits,
    at now: Instant,
    into list: inout AdviceList
  ) {
    TextCheck.checkStyle(event, isAnnouncement: !event.says(.class, "chat"), into: &list)
    habits.announce(isHigh: event.says(.priority, "high"), at: now, into: &list)
  }
}
