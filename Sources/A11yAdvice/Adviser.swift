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
  /// Adds what there is to say about an event. `model` is what is the case right after it.
  ///
  /// `isWholeKnown` says whether the model knows all that was ever published of a window; where it
  /// begins in the middle, what it does not know may be there all the same.
  package static func look(
    at event: JSONIndex,
    _ type: EventType,
    in line: JSONDocument,
    _ model: Model,
    from app: @autoclosure () -> AppKey,
    isWholeKnown: @autoclosure () -> Bool,
    into list: inout AdviceList
  ) {
    switch type {
    case .announcement, .layoutChanged, .screenChanged, .pageScrolled:
      lookAtSpeech(event, type, in: line, into: &list)
    case .elements:
      let event = ElementsEvent(event, of: line, app())
      event.look(model, isWholeKnown: isWholeKnown(), line, into: &list)
    case .focusChanged, .voiceOverStatus, .window, .handled, .busy, .pause, .resume, .cancel,
      .zoomFocusChanged, .contentSizeChanged, .action, .doNotDisturb, .speech:
      break
    }
  }

  // MARK: Texts

  private static func lookAtSpeech(
    _ event: JSONIndex,
    _ type: EventType,
    in line: JSONDocument,
    into list: inout AdviceList
  ) {
    var text: JSONIndex?
    var isChat = false
    var isSensitive = false
    var key = event + 1
    let end = line.end(event)
    while key < end {
      // Four letters, five, nine: most keys are told apart by their length.
      switch line.raw(key).count {
      case 4: if line.isKey(key, "text") { text = key + 1 }
      case 5: if line.isKey(key, "class") { isChat = line.isKey(key + 1, "chat") }
      case 9: if line.isKey(key, "sensitive") { isSensitive = line.kind(key + 1) == .yes }
      default: break
      }
      key = line.end(key + 1)
    }
    guard let text else { return }
    if type == .layoutChanged { LayoutText.look(into: &list) }
    Speech(text, of: line, isAnnouncement: type == .announcement && !isChat)
      .look(isSensitive: isSensitive, line, into: &list)
  }
}
