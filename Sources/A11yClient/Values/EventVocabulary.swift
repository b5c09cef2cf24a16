// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The importance of an announcement.
public enum AnnouncementPriority: String, Hashable, Sendable, CaseIterable {
  /// News that is nice to know, and the first to give way.
  case low
  /// News that a user expects to hear.
  case `default`
  /// News that must not be missed, and interrupts.
  case high
}

/// The kind of news that an announcement brings; kinds are paced differently.
public struct AnnouncementClass: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The word on the wire.
  public let name: String

  /// A kind of the app's own, of small letters and hyphens, which is treated as a message.
  public init(stringLiteral name: String) { self.name = name }

  /// A kind by its word on the wire.
  public init(_ name: String) { self.name = name }

  /// An event that has happened.
  public static let message: AnnouncementClass = "message"
  /// A state that replaces the last one.
  public static let status: AnnouncementClass = "status"
  /// The progress of a task.
  public static let progress: AnnouncementClass = "progress"
  /// The time that is left.
  public static let timer: AnnouncementClass = "timer"
  /// The value of a control.
  public static let value: AnnouncementClass = "value"
  /// A message that a person wrote.
  public static let chat: AnnouncementClass = "chat"
  /// A hint at possible actions.
  public static let hint: AnnouncementClass = "hint"
}

/// The treatment of announcements with the same key that wait together.
public enum AnnouncementMode: String, Hashable, Sendable, CaseIterable {
  /// All are spoken.
  case all
  /// The newest replaces those that wait.
  case latest
  /// The newest replaces those that wait, and cuts off the one that is being spoken.
  case latestInterrupt = "latest-interrupt"
  /// The announcement that is being spoken is finished, then the newest is spoken.
  case currentThenLatest = "current-then-latest"
}

/// The cause of an event.
public enum Cause: Hashable, Sendable {
  /// The app by itself.
  case auto
  /// The user.
  case user
  /// The user's action with this seq.
  case action(Int64)

  var json: JSONValue {
    switch self {
    case .auto: "auto"
    case .user: "user"
    case .action(let seq): .integer(seq)
    }
  }
}

/// The states of a window.
public enum WindowState: String, Hashable, Sendable, CaseIterable {
  /// The window is open.
  case opened
  /// The user works in the window.
  case active
  /// The user works elsewhere.
  case inactive
  /// The window is gone.
  case closed
}

/// The safety of an event when its reply comes.
public enum AcknowledgementLevel: String, Hashable, Sendable, CaseIterable {
  /// The event has its seq, in memory.
  case received
  /// The event survives the end of the bus; the default.
  case written
  /// The event survives a power cut.
  case synced
}
