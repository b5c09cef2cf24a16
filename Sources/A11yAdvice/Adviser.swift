// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

package import A11yModel
package import A11yWire

/// Looks at an event as it was published, and says what could be better in it.
///
/// It judges only what is certain. A text may be a name, a file, a language that nobody here speaks,
/// or something that the user has written; whoever is told of mistakes that are none stops listening.
/// So every check has a table of what it knows, and is silent about the rest.
package enum Adviser {
  /// Adds what of an event's text will not be spoken, which is no question of style.
  package static func adviseOnLoss(
    of event: borrowing WireEvent,
    _ type: EventType,
    into list: inout AdviceList
  ) {
    switch type {
    case .announcement, .layoutChanged, .screenChanged, .pageScrolled:
      SpokenText.checkLoss(event, into: &list)
    case .focusChanged, .voiceOverStatus, .elements, .window, .handled, .busy, .pause, .resume,
      .cancel, .zoomFocusChanged, .contentSizeChanged, .action, .doNotDisturb, .speech:
      break
    }
  }

  /// Adds what could be better in the style of an event.
  ///
  /// `model` is what is the case right after it. `isWholeKnown` says whether the model knows all that
  /// was ever published of a window; where it begins in the middle, what it does not know may be
  /// there all the same.
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
      SpokenText.checkStyle(event, isAnnouncement: false, into: &list)
    case .elements:
      let elements = ElementsEvent(event.index, of: event.line, app())
      elements.advise(by: model, isWholeKnown: isWholeKnown(), event.line, into: &list)
    case .announcement, .focusChanged, .voiceOverStatus, .window, .handled, .busy, .pause, .resume,
      .cancel, .zoomFocusChanged, .contentSizeChanged, .action, .doNotDisturb, .speech:
      break
    }
  }

  /// The same for an announcement at `mono`, by what its app is in the habit of.
  package static func adviseOnAnnouncement(
    _ event: borrowing WireEvent,
    _ habits: inout Habits,
    at mono: Int64,
    into list: inout AdviceList
  ) {
    SpokenText.checkStyle(event, isAnnouncement: !event.says(.class, "chat"), into: &list)
    habits.announce(isHigh: event.says(.priority, "high"), at: mono, into: &list)
  }
}
