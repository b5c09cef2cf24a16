// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The reason of a move of the focus, in the words of the protocol.
public enum MoveReason: String, Sendable, CaseIterable {
  /// An action of the user.
  case next, previous, first, last, focus, touch, activate
  /// A toolkit's report of a move that the user has made by the toolkit's own means.
  case user
  /// A toolkit's report of any other move.
  case auto
  /// The focus stays, and its element is spoken again.
  case again
  /// The wish of an app, by the type of its event.
  case layoutChanged = "layout-changed"
  case screenChanged = "screen-changed"
  /// The window became the one that the user works in.
  case window
  /// The cover over the place is gone.
  case modal
  /// A cover has come over the place before.
  case cover
  /// The element before is gone, or is none to be stopped at any more.
  case repair

  /// Whether the move counts as the user's own.
  public var isByUser: Bool {
    switch self {
    case .next, .previous, .first, .last, .focus, .touch, .activate, .user, .again: true
    case .auto, .layoutChanged, .screenChanged, .window, .modal, .cover, .repair: false
    }
  }

  /// Whether the bus moves the focus though nobody has asked it to.
  var isUpkeep: Bool {
    switch self {
    case .window, .modal, .cover, .repair: true
    case .next, .previous, .first, .last, .focus, .touch, .activate, .user, .auto, .again,
      .layoutChanged, .screenChanged:
      false
    }
  }
}
