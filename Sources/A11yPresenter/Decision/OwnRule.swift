// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The rules that no file can change, by the names that outcomes bear.
public enum OwnRule: String, Sendable, CaseIterable {
  /// An app in the background is not heard, or not at once.
  case background
  case modal
  case mediaSession = "media session"
  /// An app cannot take the focus from a user who has moved on.
  case focusProtection = "focus protection"
  /// The focus follows a report of a toolkit, unless something is against it.
  case focus
  case afterActionHold = "after-action hold"
  /// More events wait than the queue has room for.
  case queueBound = "queue bound"
  /// An event cuts another that is being spoken.
  case interruption
  /// An event that was cut is offered once more.
  case onceMore = "once more"
  /// No reader is there, or the reader could not speak.
  case reader
  case restart
  /// An app has withdrawn its event.
  case cancel
  /// The event itself gives the time within which it must begin.
  case ownTTL = "ttl"
  /// An app answers a gesture, or fails to.
  case gesture
  /// The user has stopped all speech.
  case stop
  /// The user has something repeated.
  case `repeat`
  /// The user has paused all speech.
  case pause
  /// The user leaves the place that is being spoken of.
  case escape

  /// The name in an outcome.
  var name: String { rawValue }
}
