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

  /// The types of events that the bus writes itself.
  public enum Own: String, Sendable, CaseIterable {
    case focus, deliver, silence, outcome, gesture, opened, closed, rules, client, forgot,
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
}
