// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The types of events that clients publish; `Own` are those that the bus writes.
public enum EventType: String, Sendable, CaseIterable {
  case announcement
  case layoutChanged = "layout-changed"
  case screenChanged = "screen-changed"
  case pageScrolled = "page-scrolled"
  case focusChanged = "focus-changed"
  case voiceOverStatus = "voiceover-status"
  case elements
  case window
  case handled
  case busy
  case pause
  case resume
  case cancel
  case zoomFocusChanged = "zoom-focus-changed"
  case contentSizeChanged = "content-size-changed"
  case action
  case doNotDisturb = "do-not-disturb"
  case speech

  /// Its place in a list of counts.
  public var number: Int {
    switch self {
    case .announcement: 0
    case .layoutChanged: 1
    case .screenChanged: 2
    case .pageScrolled: 3
    case .focusChanged: 4
    case .voiceOverStatus: 5
    case .elements: 6
    case .window: 7
    case .handled: 8
    case .busy: 9
    case .pause: 10
    case .resume: 11
    case .cancel: 12
    case .zoomFocusChanged: 13
    case .contentSizeChanged: 14
    case .action: 15
    case .doNotDisturb: 16
    case .speech: 17
    }
  }

  /// The types of events that the bus writes itself.
  public enum Own: String, Sendable, CaseIterable {
    case focus, deliver, silence, outcome, gesture, seat, opened, closed, rules, client, forgot,
      forgotten

    /// The type that `name` spells.
    public init?(_ name: Span<UInt8>) {
      for (bytes, type) in Self.named where name.equals(bytes) {
        self = type
        return
      }
      return nil
    }

    private static let named = allCases.map { (Array($0.rawValue.utf8), $0) }
  }

  /// The type that `name` spells.
  public init?(_ name: Span<UInt8>) {
    // Announcements are nearly all of the traffic.
    if name.equals("announcement") {
      self = .announcement
      return
    }
    for (bytes, type) in Self.named where name.equals(bytes) {
      self = type
      return
    }
    return nil
  }

  private static let named = allCases.map { (Array($0.rawValue.utf8), $0) }

  /// The purpose of the event in a sentence.
  public var summary: StaticString {
    switch self {
    case .announcement: "An app has something said."
    case .layoutChanged:
      "A part of the screen has changed; with an element, the focus is asked to go there."
    case .screenChanged: "Another screen is there; with an element, the focus is asked to go there."
    case .pageScrolled: "A page was scrolled."
    case .focusChanged: "A toolkit reports the place to which the keyboard focus went."
    case .voiceOverStatus: "A screen reader was started or stopped."
    case .elements: "An app tells of elements of a window that are new, changed or gone."
    case .window: "An app tells of a window."
    case .handled: "An app answers a gesture."
    case .busy: "An element begins or ends to be busy."
    case .pause: "An app asks readers to be quiet, for 30 s at most."
    case .resume: "An app takes a pause back."
    case .cancel: "An app withdraws an event of its own; its speech stops."
    case .zoomFocusChanged: "The visible part of a zoomed screen has changed."
    case .contentSizeChanged: "The size of text has changed."
    case .action: "The user acts."
    case .doNotDisturb: "The user wants announcements to wait."
    case .speech: "A reader reports how the speech of a deliver entry goes, or that the user reads."
    }
  }
}
