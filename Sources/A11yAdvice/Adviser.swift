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
    default: break
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
    default: break
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

/// All advice that there is, by codes that stay as they are.
///
/// The one table: replies, `describe` and the help of `a11yctl lint` are read off it.
package enum AdviceCode: String, Sendable, CaseIterable {
  case labelNamesType = "label.names-type"
  case labelLowerCase = "label.lower-case"
  case labelFullStop = "label.full-stop"
  case labelMissing = "label.missing"
  case hintNoSentence = "hint.no-sentence"
  case hintGesture = "hint.gesture"
  case hintNamesControl = "hint.names-control"
  case hintVerbForm = "hint.verb-form"
  case traitsConflict = "traits.conflict"
  case announcementLong = "announcement.long"
  case textLong = "text.long"
  case textTruncated = "text.truncated"
  case textAbbreviation = "text.abbreviation"
  case textDigits = "text.digits"
  case layoutText = "layout.text"
  case priorityOverused = "priority.overused"
  case pauseUnresumed = "pause.unresumed"
  case focusDenied = "focus.denied"
  case focusMissing = "focus.missing"
  case backgroundLow = "background.low"
  case backgroundSeat = "background.seat"
  case classUnknown = "class.unknown"

  /// The matter in a few words.
  package var summary: StaticString {
    switch self {
    case .labelNamesType: "a label says what its traits say already"
    case .labelLowerCase: "a label starts with a small letter"
    case .labelFullStop: "a label ends with a full stop"
    case .labelMissing: "something that is stopped at has no label"
    case .hintNoSentence: "a hint is no sentence, with a capital and a full stop"
    case .hintGesture: "a hint names a gesture, which is not the same for everybody"
    case .hintNamesControl: "a hint names the control that it belongs to"
    case .hintVerbForm: "a hint gives an order, where it should say what happens"
    case .traitsConflict: "an element is more than one of button, link, static text, search field"
    case .announcementLong: "an announcement is longer than a sentence"
    case .textLong: "a text has more than 500 characters"
    case .textTruncated: "a text has more than 4,000 characters, and is cut off there"
    case .textAbbreviation: "an abbreviation that no voice says as it is meant"
    case .textDigits: "digits that are read as one large number"
    case .layoutText: "a layout-changed bears a text"
    case .priorityOverused: "too much is announced as high"
    case .pauseUnresumed: "a pause was not taken back"
    case .focusDenied: "the focus is asked for in vain, again and again"
    case .focusMissing: "the focus is asked for where there is nothing to stop at"
    case .classUnknown: "a class that means nothing, and behaves as message"
    case .backgroundLow: "something low from the background, which nobody hears"
    case .backgroundSeat: "an active window of a user who does not sit at the machine"
    }
  }

  /// An example, and what is better.
  package var example: StaticString {
    switch self {
    case .labelNamesType: "\"Delete button\" on a button; better \"Delete\""
    case .labelLowerCase: "\"delete contact\"; better \"Delete contact\""
    case .labelFullStop: "\"Delete contact.\"; better \"Delete contact\""
    case .labelMissing: "a button without a label; better with one"
    case .hintNoSentence: "\"removes the contact\"; better \"Removes the contact.\""
    case .hintGesture: "\"Double tap to open.\"; better \"Opens the contact.\""
    case .hintNamesControl: "\"This button opens it.\"; better \"Opens the contact.\""
    case .hintVerbForm: "\"Remove the contact.\"; better \"Removes the contact.\""
    case .traitsConflict: "[\"button\",\"link\"]; better [\"link\"]"
    case .announcementLong: "\"Item was added. The list has 3 items.\"; better \"Item was added\""
    case .textLong: "a help text that is announced; better as a page to read"
    case .textTruncated: "a chapter that is announced; better as elements to read"
    case .textAbbreviation: "\"2+ bd\", \"$0–1.3M\"; better \"2 or more bedrooms\""
    case .textDigits: "\"98110\"; better [{\"text\":\"98110\",\"spell\":true}]"
    case .layoutText: "{\"type\":\"layout-changed\",\"text\":…}; better an announcement"
    case .priorityOverused: "\"priority\":\"high\" for what can wait; better without"
    case .pauseUnresumed: "a pause that lasts for 30 s or until the app leaves; better a resume"
    case .focusDenied: "a layout-changed with an element from the background; better without"
    case .focusMissing: "a layout-changed with an element that is not there; better that first"
    case .classUnknown: "\"class\":\"progres\"; better \"progress\""
    case .backgroundLow: "progress while the user works elsewhere; better not published"
    case .backgroundSeat: "an active window in a session behind another; better inactive until then"
    }
  }

  /// Appends the member of the answer to `describe` that lists all codes.
  package static func writeDescription(into out: inout ByteBuffer) {
    out.object("warnings") { out in
      for code in allCases {
        out.append(memberText: code.rawValue)
        out.append(json: code.summary.description)
      }
    }
  }
}

/// One piece of advice to a publisher: what could be better, where, and how.
package struct Advice: Equatable, Sendable {
  package let code: AdviceCode
  /// The path from the request to the field that it is about.
  package let field: String
  /// A sentence that says what to do.
  package let message: String

  package init(_ code: AdviceCode, field: String, _ message: String) {
    self.code = code
    self.field = field
    self.message = message
  }
}

/// The advice about one event; nearly always none, which costs nothing.
package struct AdviceList: Sendable {
  package private(set) var all: [Advice] = []
  private let bound: Int

  /// The most advice in a reply: a mistake made a thousand times is understood after these, and
  /// `a11yctl lint` finds the rest in the log.
  package static let ofReply = 16

  package init(bound: Int) { self.bound = bound }

  package var isEmpty: Bool { all.isEmpty }

  /// Whether no more advice is taken, so that checks may stop.
  var isFull: Bool { all.count >= bound }

  package mutating func add(_ code: AdviceCode, _ field: String, _ message: String) {
    guard all.count < bound else { return }
    all.append(Advice(code, field: field, message))
  }

  /// Appends the advice as a member of a reply; nothing for an empty list.
  package func writeWarnings(into out: inout ByteBuffer) {
    guard !all.isEmpty else { return }
    // The buffer may be empty, or hold the notes of other replies.
    out.append(",\"warnings\":")
    out.array(of: all) { out, advice in
      out.object {
        $0.append(member: "code", advice.code.rawValue)
        $0.append(member: "field", advice.field)
        $0.append(member: "msg", advice.message)
      }
    }
  }
}

/// The field of an event that advice is about: enough to write its path, and no more.
enum FieldPath {
  case text
  case run(Int)
  /// A member of an element, by the list that it stands in.
  case element(StaticString, Int, StaticString)

  var path: String {
    switch self {
    case .text: "event.text"
    case .run(let position): "event.text[\(position)].text"
    case .element(let list, let position, let member): "event.\(list)[\(position)].\(member)"
    }
  }
}
